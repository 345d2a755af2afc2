import type { UserMessage } from "../../../entry/message.js"
import { messagePart } from "../message-part.js"
import type { ContextChangeKind } from "./context-change.js"
import { timestampOf } from "./pair-results.js"
import type { PlacedMessage } from "./placed-message.js"

/**
 * Inserts a user turn before an answer that comes first or follows another answer: Anthropic requires the user to begin, and
 * Google requires a call to follow the user or a result. All providers accept several user turns in a row.
 */
export function alternateTurns(
  placed: readonly PlacedMessage[],
  note: (kind: ContextChangeKind, index: number, what: string) => void,
): PlacedMessage[] {
  const turns: PlacedMessage[] = []
  let before: "nothing" | "user" | "assistant" = "nothing"
  for (const one of placed) {
    const part = messagePart(one.message)
    if (part === "assistant") {
      if (before !== "user") {
        note("turn-added", one.index, `A turn of the user was put before an answer that followed ${WHAT[before]}.`)
        turns.push({ index: one.index, message: userTurn(one, TEXT[before]) })
      }
      before = "assistant"
      // Instructions at the start are sent separately from the conversation.
    } else if (part !== "none" && (part !== "system" || before !== "nothing")) before = "user"
    turns.push(one)
  }
  return turns
}

const WHAT = { nothing: "nothing", assistant: "another" }
const TEXT = {
  nothing: "[The conversation before this point is not available.]",
  assistant: "[The answer above ended here.]",
}

function userTurn(after: PlacedMessage, text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: timestampOf(after) }
}
