import type { Key } from "ink"

/** Text that was typed or pasted, or a key. */
export type KeyPress =
  | { readonly kind: "text"; readonly text: string; readonly isPasted: boolean }
  | { readonly kind: "key"; readonly name: KeyName }

/** `ctrl-a` to `ctrl-z` but those that are keys of their own: `ctrl-h` is Backspace, `ctrl-i` Tab, `ctrl-m` Enter. */
export type KeyName =
  | "enter"
  | "escape"
  | "tab"
  | "shift-tab"
  | "up"
  | "down"
  | "left"
  | "right"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "backspace"
  | "alt-backspace"
  | `ctrl-${string}`

/** Descriptions of keys. */
export type KeyHelp = readonly [keys: string, does: string]

const PASTE_START = "[200~"
const PASTE_END = "[201~"

/** Control characters that have a name of their own. */
const NAMED: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\x7f": "backspace",
}

/** Parses what a terminal sends, as ink reads it. What is pasted is text, also where it holds a line break. */
export class KeyReader {
  #isPasting = false

  /** @param input one key, or several characters that came at once */
  read(input: string, key: Partial<Key>): KeyPress[] {
    if (input === PASTE_START || input === PASTE_END) {
      this.#isPasting = input === PASTE_START
      return []
    }
    if (this.#isPasting) return textPress(key.return || key.tab ? " " : input, true)
    const name = nameOf(input, key)
    if (name) return [{ kind: "key", name }]
    return key.ctrl || key.meta ? [] : characters(input)
  }
}

function nameOf(input: string, key: Partial<Key>): KeyName | undefined {
  if (key.escape) return "escape"
  if (key.return) return "enter"
  if (key.tab) return key.shift ? "shift-tab" : "tab"
  if (key.upArrow) return "up"
  if (key.downArrow) return "down"
  if (key.leftArrow) return "left"
  if (key.rightArrow) return "right"
  if (key.pageUp) return "page-up"
  if (key.pageDown) return "page-down"
  if (key.home) return "home"
  if (key.end) return "end"
  // ink distinguishes Backspace and Delete by codes that few terminals send.
  if (key.backspace || key.delete) return key.meta ? "alt-backspace" : "backspace"
  return key.ctrl ? controlKey(input) : undefined
}

function controlKey(letter: string): KeyName | undefined {
  if (letter === "h") return "backspace"
  return /^[a-z]$/.test(letter) ? `ctrl-${letter}` : undefined
}

/** Someone who types faster than we read sends text and keys in one piece. */
function characters(input: string): KeyPress[] {
  return (input.match(/\p{Cc}|\P{Cc}+/gu) ?? []).flatMap((piece): KeyPress[] => {
    const name = NAMED[piece] ?? controlKey(letterOf(piece))
    return name ? [{ kind: "key", name }] : textPress(piece, false)
  })
}

/** A control character is a letter less 0x60. */
function letterOf(control: string): string {
  return String.fromCharCode(control.charCodeAt(0) + 0x60)
}

/** Control characters are no text, and those that are white space become a space. */
function textPress(input: string, isPasted: boolean): KeyPress[] {
  const text = input.replace(/\s/g, " ").replace(/\p{Cc}/gu, "")
  return text === "" ? [] : [{ kind: "text", text, isPasted }]
}
