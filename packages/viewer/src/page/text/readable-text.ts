import { jsonText } from "@treelog/session-core/json"

// Makes stored text safe to display: removes escape sequences of terminals, and makes characters visible that would change the reading
// direction or are invisible. Markup needs no escaping, since text only becomes text nodes.

const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)

/** Whole escape sequences in the output of programs: CSI (colours, cursor) and OSC (titles, links). */
const SEQUENCES = new RegExp(
  `${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
  "g",
)

const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
const HAS_CONTROLS = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/u

/** A text of several lines. Of control characters, only line ends and tabs are kept. */
export function readableText(value: unknown): string {
  const text = asText(value)
  if (!HAS_CONTROLS.test(text)) return text
  return text
    .replace(SEQUENCES, "")
    .replace(/\r\n?/g, "\n")
    .replace(CONTROLS, (control) => (control === "\n" || control === "\t" ? control : visible(control)))
}

/** The same as one line, no longer than `most` characters. */
export function readableLine(value: unknown, most = 300): string {
  // Reads more than is kept, since the text may start with white space.
  const text = readableText(asText(value).slice(0, most * 4))
    .replace(/\s+/g, " ")
    .trim()
  return text.length > most ? `${text.slice(0, endOfCharacter(text, most - 1))}…` : text
}

/** The same without the most common Markdown syntax. */
export function lineWithoutMarkdown(value: unknown, most = 300): string {
  if (typeof value !== "string") return readableLine(value, most)
  const beginning = value.slice(0, most * 4)
  return readableLine(beginning.replace(/^(?:#{1,6}|>|[-*]|```\w*)\s+/gm, "").replace(/\*\*|`/g, ""), most)
}

/** Any stored value as text. */
function asText(value: unknown): string {
  if (typeof value === "string") return value
  return value === undefined || value === null ? "" : (jsonText(value) ?? String(value))
}

function visible(control: string): string {
  const code = control.charCodeAt(0)
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
}

function endOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code < 0xdc00 ? at - 1 : at
}
