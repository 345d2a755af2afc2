import type { KeyName, KeyPress } from "./key-reader.js"

/** One line of text that is being written. */
export interface TextField {
  readonly text: string
  /** The position of the cursor, in UTF-16 units; between characters as people see them. */
  readonly cursor: number
}

const GRAPHEMES = new Intl.Segmenter()

export function fieldWith(text: string): TextField {
  return { text, cursor: text.length }
}

/** The field after a key; undefined for a key that edits nothing. */
export function editField(field: TextField, press: KeyPress): TextField | undefined {
  const { text, cursor } = field
  if (press.kind === "text")
    return { text: splice(text, cursor, cursor, press.text), cursor: cursor + press.text.length }
  switch (press.name) {
    case "backspace":
      return erased(field, before(field))
    case "ctrl-w":
    case "alt-backspace":
      return erased(field, wordStart(text.slice(0, cursor)))
    case "ctrl-u":
      return fieldWith("")
    case "left":
      return { text, cursor: before(field) }
    case "right":
      return { text, cursor: after(field) }
    case "home":
    case "ctrl-a":
      return { text, cursor: 0 }
    case "end":
    case "ctrl-e":
      return fieldWith(text)
    default:
      return undefined
  }
}

/** Keys that leave a picker, or a question in it. */
export const LEAVE: ReadonlySet<KeyName> = new Set<KeyName>(["escape", "ctrl-c", "ctrl-g"])

/** The effect of a key where a line of text is asked for: it leaves, submits the trimmed text, or edits the field. */
export function answerKey(
  field: TextField,
  press: KeyPress,
): "leave" | { readonly submitted: string } | { readonly field: TextField } {
  if (press.kind === "key" && LEAVE.has(press.name)) return "leave"
  if (press.kind === "key" && press.name === "enter") return { submitted: field.text.trim() }
  return { field: editField(field, press) ?? field }
}

function wordStart(text: string): number {
  let at = text.trimEnd().length
  while (at > 0 && text[at - 1]?.trim() !== "") at -= 1
  return at
}

/** Deletes the text from a position to the cursor. */
function erased({ text, cursor }: TextField, from: number): TextField {
  return { text: splice(text, from, cursor, ""), cursor: from }
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to)
}

function before({ text, cursor }: TextField): number {
  return [...GRAPHEMES.segment(text.slice(0, cursor))].at(-1)?.index ?? 0
}

function after({ text, cursor }: TextField): number {
  const [next] = GRAPHEMES.segment(text.slice(cursor))
  return cursor + (next?.segment.length ?? 0)
}
