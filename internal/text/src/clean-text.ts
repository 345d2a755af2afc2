import { jsonText } from "@treelog/session-core/json"

// All stored text that is printed is cleaned here. Whatever a session contains, printing it must not move the
// cursor, recolour the screen, set a title, or turn the reading direction around.

const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)

/** Whole escape sequences: CSI (colours, cursor), OSC (titles, links), and those of `tput sgr0` and `rmkx` (character sets, keys). Linear. */
export const ESCAPE_SEQUENCES: RegExp = new RegExp(
  `${ESCAPE}\\[[0-?]*[ -/]*[@-~]|${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)|${ESCAPE}(?:[()][0-B]|[=>78])`,
  "g",
)

/** C0, DEL and C1, all that changes the reading direction, and the separators at which some terminals break lines. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

/** Control characters but for LF and tabs: most texts have none, and need no cleaning. Ranges are searched faster than properties. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what is looked for.
const UNCLEAN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** Text of several lines: escape sequences go, other control characters become visible (`\x07`), only LF stays. */
export function cleanText(value: unknown): string {
  return cleanTabbed(value).replaceAll("\t", "    ")
}

/** `cleanText` for text that is processed, not displayed: tabs stay too. */
export function cleanTabbed(value: unknown): string {
  const raw = textOf(value)
  if (!UNCLEAN.test(raw)) return raw
  const text = raw.replace(ESCAPE_SEQUENCES, "").replace(/\r\n?/g, "\n")
  return text.replace(CONTROLS, (control) => (control === "\n" || control === "\t" ? control : visible(control)))
}

/** White space that is not a space between two words. Most texts of one line have none. */
const UNEVEN = /[^\S ]| {2}|^ | $/
/** Runs of white space that are not one space: most runs are. */
const RUNS = / \s+|[^\S ]\s*/g

/** Clean text on one line: every run of white space becomes a space. */
export function cleanLine(value: unknown): string {
  const text = cleanTabbed(value)
  return UNEVEN.test(text) ? text.replace(RUNS, " ").trim() : text
}

/** Escapes in JSON what `JSON.stringify` lets through. The value stays the same. */
export function cleanJson(json: string): string {
  if (!UNCLEAN.test(json)) return json
  return json.replace(CONTROLS, (control) => `\\u${hex(control, 4)}`)
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Escapes a text for HTML, also in the value of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")
}

/** The text of a stored field, which may have any type; JSON where it is not a string. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value
  return value === undefined || value === null ? "" : (jsonText(value) ?? String(value))
}

function visible(control: string): string {
  return control.charCodeAt(0) < 0x100 ? `\\x${hex(control, 2)}` : `\\u${hex(control, 4)}`
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0")
}
