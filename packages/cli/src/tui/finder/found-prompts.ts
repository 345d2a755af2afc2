import type { CommandContext } from "../../io/command-context.js"
import { findPrompts, type PromptSource, promptScope, SKIPPED } from "../../search/prompt-sources.js"
import type { FindAnswer, FindRequest, Source } from "./found.js"

// With what finds them, since both are in one file of the built command.
export { openPromptSources } from "../../search/prompt-sources.js"

/** Finds prompts, the newest first. */
export async function promptRows(
  context: CommandContext,
  sources: readonly PromptSource[],
  request: FindRequest,
): Promise<FindAnswer<Source>> {
  const { query: text, limit } = request
  const scope = await promptScope(context, request.scope === "all")
  const unread: string[] = []
  const found = await findPrompts(sources, { text, scope, limit }, (sentence, { code }) => {
    if (code !== SKIPPED) unread.push(sentence)
  })
  const rows = found.map((prompt) => ({
    source: { kind: "prompt" as const, prompt },
    key: `${prompt.store}:${prompt.createdAt}:${prompt.text}`,
    time: prompt.createdAt,
    title: prompt.text,
    cwd: prompt.cwd ?? "",
    facts: [prompt.sessionId ?? ""],
    ...(prompt.sessionId !== undefined && { id: prompt.sessionId }),
  }))
  return { request, rows, isMore: rows.length >= limit, ...(unread[0] !== undefined && { notice: unread[0] }) }
}
