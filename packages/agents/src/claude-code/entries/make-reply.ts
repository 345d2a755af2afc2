import { type AssistantMessage, type ContentBlock, contentText, type LostResult } from "@treelog/session-core"
import { type Json, textIn, usageFields } from "@treelog-internal/agent-files"
import { type ResponseUsage, SYNTHETIC } from "../source/response-head.js"
import { messageOf } from "../source/source-record.js"
import { blocksOf } from "./content.js"

const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["pause_turn", "stop"],
  ["tool_use", "toolUse"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "error"],
])

/** What Claude Code writes as the result of a call when it goes on with a session that ended before. */
const LOST: LostResult = {
  text: "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]",
  isError: true,
}

/**
 * One message of all lines of a reply.
 * @param timestamp milliseconds since 1970
 * @param isRecorded whether the file has its request, whose words are all on the path
 * @param hasSharedId whether its id is that of other responses, too
 */
export function makeReply(
  records: readonly Json[],
  usage: ResponseUsage | undefined,
  isAborted: boolean,
  timestamp: number,
  isRecorded: boolean,
  hasSharedId = false,
): AssistantMessage {
  const messages = records.map(messageOf)
  const content = messages.flatMap((message) => blocksOf(message.content))
  const isError = records.some(({ isApiErrorMessage }) => isApiErrorMessage === true)
  const wasCut = isAborted || records.some(({ isAbortedMidStream }) => isAbortedMidStream === true)
  const hasCalls = content.some(({ type }) => type === "toolCall")
  const responseId = hasSharedId ? undefined : textIn(messages[0] ?? {}, "id")
  const stopReason = isError ? "error" : wasCut ? "aborted" : stopReasonOf(messages, content)
  return {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: usage?.model ?? textIn(messages[0] ?? {}, "model") ?? SYNTHETIC,
    usage: usageFields(usage),
    stopReason,
    ...(isError && { errorMessage: contentText(content) }),
    ...(responseId !== undefined && { responseId }),
    request: isRecorded ? "recorded" : "rebuilt",
    ...(hasCalls && { lostResult: LOST }),
    ...(content.some(({ type }) => type === "thinking") && { foreignThinking: "omitted" }),
    timestamp,
  }
}

/** Older versions write none: then a reply with calls stopped for them. */
function stopReasonOf(messages: readonly Json[], content: readonly ContentBlock[]): string {
  const last = messages.flatMap((message) => textIn(message, "stop_reason") ?? []).at(-1)
  if (last !== undefined) return STOP_REASONS.get(last) ?? last
  return content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop"
}
