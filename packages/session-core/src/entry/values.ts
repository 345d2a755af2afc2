/** A JSON object with unchecked fields. */
export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The objects of a list; none of any other value. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A text; an empty one for any other value. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value : ""
}

/**
 * Any stored value as a short text for a message. Never throws, unlike `String` for an object with its own `toString` and
 * `JSON.stringify` for deep nesting. The text may contain anything that was stored: escape it before you display it.
 */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "none"
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === "object" ? "an object" : String(value)
}

/** The time of an entry as it is written: with its id, it says which entry it is. */
export function stampText(timestamp: unknown): string {
  return typeof timestamp === "object" && timestamp !== null ? valueText(timestamp) : String(timestamp)
}

/** The text of a message's content: a string as it is, or the text blocks joined by line breaks. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content
  return objectsIn(content)
    .filter(({ type, text }) => type === "text" && typeof text === "string")
    .map((block) => block.text)
    .join("\n")
}

/** The text of a message: of a prompt what was typed, where that is stored apart; else its text blocks. Empty where it has none. */
export function messageText(message: object): string {
  const { prompt, content } = message as JsonObject
  return typeof prompt === "string" ? prompt : contentText(content)
}

/** The first `length` UTF-16 units of a text; one less where that would split a surrogate pair. */
export function textStart(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length)
}

/** Nothing shows more of a title. UTF-16 units. */
const MOST_OF_TITLE = 20_000

/**
 * A name or a prompt as a title: its first line that says something, up to a code fence. Empty where there is none. What follows in a prompt is
 * rather a file or a log that was pasted.
 */
export function titleLine(text: string): string {
  for (const [line] of text.matchAll(/[^\n\r\u2028\u2029]+/g)) {
    const [start = ""] = line.slice(0, MOST_OF_TITLE).split(/```|~~~/, 1)
    const title = oneLine(start)
    if (title !== "") return title
  }
  return ""
}

/** Milliseconds since 1970 of an ISO timestamp; 0 instead of NaN when it is missing or not a date. */
export function millisOf(timestamp: unknown): number {
  if (typeof timestamp !== "string") return 0
  const millis = Date.parse(timestamp)
  return Number.isNaN(millis) ? 0 : millis
}

/** Whole escape sequences of terminals: CSI (colours, cursor), OSC (titles, links), and those of two characters. Linear time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-Z\\^-~]/g

/** The text as it is shown. Most have no escape sequences. */
export function withoutSequences(text: string): string {
  return text.includes("\x1b") ? text.replace(SEQUENCES, "") : text
}

const BREAKS = /[\t-\r\x85\u2028\u2029]+/g

/** The text as one line: removes escape sequences and control characters, and replaces line breaks and tabs by a space. */
export function oneLine(text: string): string {
  return text
    .replace(SEQUENCES, "")
    .replace(BREAKS, " ")
    .replace(/\p{Cc}/gu, "")
    .trim()
}
