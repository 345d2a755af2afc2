import type { UserMessage } from "../../../entry/message.js"
import { messagePart } from "../message-part.js"
import type { ContextChangeKind } from "./context-change.js"
import { timestampOf } from "./pair-results.js"
import type { PlacedMessage } from "./placed-message.js"

/**
 * Puts a turn of the user before an answer that stands first or follows another: Anthropic wants the user to begin, and
 * Google a call to follow the user or a result. Several turns of the user in a row are fine everywhere.
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
      // Instructions at the beginning go to the model apart from the conversation.
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
