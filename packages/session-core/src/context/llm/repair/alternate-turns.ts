import { messagePart } from "../message-part.js"
import type { NoteAt } from "./context-change.js"
import { type PlacedMessage, timestampOf } from "./pair-results.js"

/**
 * Inserts a user turn before an answer that comes first or follows another answer: Anthropic requires the user to begin, and
 * Google requires a call to follow the user or a result. All providers accept several user turns in a row.
 */
export function alternateTurns(placed: readonly PlacedMessage[], note: NoteAt): PlacedMessage[] {
  let before: keyof typeof MISSING | "user" = "nothing"
  return placed.flatMap((one) => {
    const part = messagePart(one.message)
    const missing = part === "assistant" && before !== "user" ? MISSING[before] : undefined
    if (part === "assistant") before = "another"
    // Instructions at the start are sent separately from the conversation.
    else if (part !== "none" && (part !== "system" || before !== "nothing")) before = "user"
    if (!missing) return [one]
    note("turn-added", one.index, `A turn of the user was put before an answer that followed ${missing.what}.`)
    const content = [{ type: "text", text: missing.text }]
    return [{ index: one.index, message: { role: "user", content, timestamp: timestampOf(one) } }, one]
  })
}

/** What stands before an answer, and the text of the turn that is inserted there. */
const MISSING = {
  nothing: { what: "nothing", text: "[The conversation before this point is not available.]" },
  another: { what: "another", text: "[The answer above ended here.]" },
}
