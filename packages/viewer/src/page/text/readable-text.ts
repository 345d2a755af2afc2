import { jsonText } from "@treelog/session-core/json"

// Makes stored text fit to be looked at: what colours a terminal goes, what would turn the reading direction or hide
// becomes visible. Markup is no concern here: text only ever becomes text nodes.

const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)

/** Whole escape sequences, as the output of programs is full of them: CSI (colours, cursor) and OSC (titles, links). */
const SEQUENCES = new RegExp(
  `${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
  "g",
)

const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu
const HAS_CONTROLS = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/u

/** Text of several lines. Only line ends and tabs stay of what is no character. */
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
  // Much white space may stand in front: more is looked at than is kept.
  const text = readableText(asText(value).slice(0, most * 4))
    .replace(/\s+/g, " ")
    .trim()
  return text.length > most ? `${text.slice(0, endOfCharacter(text, most - 1))}…` : text
}

/** The same without the most usual marks of Markdown, which say nothing in a line of plain text. */
export function lineWithoutMarkdown(value: unknown, most = 300): string {
  if (typeof value !== "string") return readableLine(value, most)
  const beginning = value.slice(0, most * 4)
  return readableLine(beginning.replace(/^(?:#{1,6}|>|[-*]|```\w*)\s+/gm, "").replace(/\*\*|`/g, ""), most)
}

/** Fields of the wild hold anything. */
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
