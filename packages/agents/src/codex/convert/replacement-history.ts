import { isObject, type Json, objectsIn } from "@treelog-internal/agent-files"
import { isPrompt, promptText } from "./user-text.js"

/**
 * The items that follow a compaction without a stored history in the context, by the rule of the versions that wrote none.
 * @param initial the items before the first prompt; versions from 0.144 on leave them out
 * @param prompts the texts of all prompts so far
 */
export function legacyHistory(message: string, initial: readonly Json[], prompts: readonly string[]): Json[] {
  return [...initial, ...[...prompts, message].map(userItem)]
}

/**
 * The history behind a compaction of versions up to 0.53: one message has the prompts and the summary, in this wording.
 * @param prompts the texts of the prompts, of which the message of a compaction before stands for those before it
 */
export function joinedHistory(message: string, initial: readonly Json[], prompts: readonly string[]): Json[] {
  const said = prompts.length > 0 ? prompts.join("\n\n") : "(none)"
  return [...initial, userItem(`${BEFORE_PROMPTS}\n\n${said}\n\n${BEFORE_SUMMARY}\n\n${message}`)]
}

/** The text of an item, if it is such a message. */
export function joinedText(item: unknown): string | undefined {
  const text = isObject(item) ? promptText(item) : ""
  return text.startsWith(BEFORE_PROMPTS) ? text : undefined
}

const BEFORE_PROMPTS =
  "You were originally given instructions from a user over one or more turns. Here were the user messages:"
const BEFORE_SUMMARY =
  "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:"

function userItem(text: string): Json {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] }
}

/** A history as text, for models of other providers: the prompts that it keeps, and the summary. */
export function historyText(history: readonly unknown[], message: string): string {
  const items = objectsIn(history).filter(({ type, role }) => type === "message" && role === "user")
  const prompts = items.filter(isPrompt).map(promptText)
  if (message === "" || prompts.length === 0) return [...prompts, message].filter((text) => text !== "").join("\n\n")
  return `${KEPT}\n\n${prompts.join("\n\n")}\n\n${message}`
}

const KEPT = "The messages of the user so far, which were kept:"
