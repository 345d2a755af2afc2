import { textStart } from "@treelog/session-core/adapter"
import { cleanLine, textOf } from "@treelog-internal/text"

/** Any stored value as one line that is safe to display, no longer than `most` characters. */
export function readableLine(value: unknown, most = 300): string {
  // Reads more than is kept, since the text may start with white space.
  const text = cleanLine(textOf(value).slice(0, most * 4))
  return text.length > most ? `${textStart(text, most - 1)}…` : text
}

/** `readableLine` without the most common Markdown syntax. */
export function lineWithoutMarkdown(value: unknown, most = 300): string {
  if (typeof value !== "string") return readableLine(value, most)
  const beginning = value.slice(0, most * 4)
  return readableLine(beginning.replace(/^(?:#{1,6}|>|[-*]|```\w*)\s+/gm, "").replace(/\*\*|`/g, ""), most)
}
