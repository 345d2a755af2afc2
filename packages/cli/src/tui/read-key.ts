import type { Key } from "ink"
import type { PickerAction } from "./picker-action.js"

const PASTE_BEGINS = "[200~"
const PASTE_ENDS = "[201~"

const CONTROL_KEYS: Readonly<Record<string, PickerAction>> = {
  c: { kind: "leave" },
  d: { kind: "leave" },
  g: { kind: "leave" },
  h: { kind: "erase", what: "character" },
  j: { kind: "move", by: 1 },
  k: { kind: "move", by: -1 },
  n: { kind: "move", by: 1 },
  p: { kind: "move", by: -1 },
  r: { kind: "scope", by: 1 },
  u: { kind: "erase", what: "all" },
  w: { kind: "erase", what: "word" },
}

/** Tells what keys mean. What is pasted is text, also where it holds a line break. */
export class KeyReader {
  #isPasting = false

  /** @param input one key, or several characters that came at once */
  read(input: string, key: Partial<Key>): PickerAction[] {
    if (input === PASTE_BEGINS || input === PASTE_ENDS) {
      this.#isPasting = input === PASTE_BEGINS
      return []
    }
    if (this.#isPasting) return typed(key.return || key.tab ? " " : input)
    const named = namedKey(input, key)
    if (named) return [named]
    return key.ctrl || key.meta ? [] : characters(input)
  }
}

function namedKey(input: string, key: Partial<Key>): PickerAction | undefined {
  if (key.escape) return { kind: "leave" }
  if (key.return) return { kind: "accept" }
  if (key.tab) return { kind: "scope", by: key.shift ? -1 : 1 }
  if (key.upArrow) return { kind: "move", by: -1 }
  if (key.downArrow) return { kind: "move", by: 1 }
  if (key.pageUp) return { kind: "page", by: -1 }
  if (key.pageDown) return { kind: "page", by: 1 }
  if (key.home) return { kind: "move", by: Number.NEGATIVE_INFINITY }
  if (key.end) return { kind: "move", by: Number.POSITIVE_INFINITY }
  if (key.backspace || key.delete) return { kind: "erase", what: key.meta ? "word" : "character" }
  return key.ctrl ? CONTROL_KEYS[input] : undefined
}

/** Someone who types faster than we read sends text and keys in one piece. */
function characters(input: string): PickerAction[] {
  return (input.match(/\p{Cc}|\P{Cc}+/gu) ?? []).flatMap((piece) => {
    if (piece === "\r" || piece === "\n") return [{ kind: "accept" }]
    if (piece === "\t") return [{ kind: "scope", by: 1 }]
    if (piece === "\b" || piece === "\x7f") return [{ kind: "erase", what: "character" }]
    return typed(piece)
  })
}

/** Control characters are no text, and those that are white space become a space. */
function typed(input: string): PickerAction[] {
  const text = input.replace(/\s/g, " ").replace(/\p{Cc}/gu, "")
  return text === "" ? [] : [{ kind: "type", text }]
}
