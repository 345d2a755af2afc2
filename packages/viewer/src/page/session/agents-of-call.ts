import { parsedJson } from "@treelog/session-core/json"
import { blocksOf, type Fields, isObject } from "@treelog-internal/text"
import type { AgentTranscript } from "../../wire.js"
import { textIn } from "./fields.js"
import type { ToolCall } from "./tool-call.js"

/** Whether a call may have begun a sub-agent; for others, the transcripts are not searched. */
export function mayBeginAgent({ name }: ToolCall): boolean {
  return /agent|task/i.test(name)
}

/**
 * The transcripts of the sub-agents that a call began: those that its result names by their ids, or else those whose prompt is the start
 * of an argument of the call.
 * @param result the message of the result
 */
export function agentsOfCall(
  transcripts: readonly AgentTranscript[],
  { arguments: args }: ToolCall,
  result: Fields | undefined,
): AgentTranscript[] {
  const named = new Set(result ? idsIn(result) : [])
  const byName = transcripts.filter(({ id }) => named.has(id) || named.has(id.replace(/^agent-/, "")))
  if (byName.length > 0) return byName
  const texts = Object.values(args).flatMap((value) => textIn(value)?.trim() ?? [])
  return transcripts.filter(({ prompt }) => {
    const asked = prompt.trim()
    return asked !== "" && texts.some((text) => text.startsWith(asked))
  })
}

/** Claude Code writes the id in the details, Codex in JSON for the model. */
function idsIn({ details, content }: Fields): string[] {
  const ids = isObject(details) ? [details.agentId] : []
  for (const { text } of blocksOf(content)) {
    const value = typeof text === "string" && text.startsWith("{") ? parsedJson(text) : undefined
    if (isObject(value)) ids.push(value.agent_id)
  }
  return ids.flatMap((id) => textIn(id) ?? [])
}
