import { isTreelogError } from "@treelog/session-core"
import type { CommandContext } from "../../io/command-context.js"
import { type StoreHistory, searchHistories } from "../../prompts/open-history.js"
import { promptScope, type ScopeOptions } from "../../prompts/prompt-scope.js"
import type { FindAnswer, FindRequest } from "../../tui/finder/found.js"
import type { Source } from "./source.js"

// With what finds them, since both are in one file of the built command.
export { openHistories } from "../../prompts/open-history.js"

/** Finds prompts, the newest first. @param narrow what the scope of the project means: by default its folder */
export async function findPrompts(
  context: CommandContext,
  histories: readonly StoreHistory[],
  request: FindRequest,
  { scope: narrow = "cwd", session }: ScopeOptions,
): Promise<FindAnswer<Source>> {
  const { query, limit } = request
  try {
    const scope = await promptScope(context, request.scope === "all" ? "all" : narrow, session)
    const found = await searchHistories(histories, query, { scope, limit })
    const rows = found.map((prompt) => ({
      source: { kind: "prompt" as const, prompt },
      key: `${prompt.store}:${prompt.id}`,
      time: prompt.createdAt,
      title: prompt.text,
      cwd: prompt.cwd ?? "",
      facts: [prompt.sessionId ?? ""],
      ...(prompt.sessionId !== undefined && { id: prompt.sessionId }),
    }))
    return { request, rows, isMore: rows.length >= limit }
  } catch (error) {
    if (!isTreelogError(error, "SessionNotFoundError")) throw error
    return { request, rows: [], isMore: false, notice: error.message }
  }
}
