import { emitKeypressEvents, type Interface, type Key } from "node:readline"

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

export type KeyHelp = readonly [keys: string, does: string]

/** Milliseconds after which an Escape is a key, and not the beginning of one. */
const ESCAPE_MS = 50

const KEYS: ReadonlyMap<string | undefined, KeyName> = new Map<string, KeyName>([
  ["return", "enter"],
  ["enter", "enter"],
  ["escape", "escape"],
  ["tab", "tab"],
  ["up", "up"],
  ["down", "down"],
  ["left", "left"],
  ["right", "right"],
  ["pageup", "page-up"],
  ["pagedown", "page-down"],
  ["home", "home"],
  ["end", "end"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
])

/**
 * Reads what a terminal sends. Characters that come at once are one text. What is pasted is text, also where it holds a
 * line break.
 * @returns a function that stops reading
 */
export function readKeys(input: NodeJS.ReadableStream, press: (press: KeyPress) => void): () => void {
  let text = ""
  let isPasting = false
  const passText = (): void => {
    // Control characters are no text, and those that are white space become a space.
    const clean = text.replace(/\s/g, " ").replace(/\p{Cc}/gu, "")
    text = ""
    if (clean !== "") press({ kind: "text", text: clean, isPasted: isPasting })
  }
  const take = (typed: string | undefined, key: Key): void => {
    const isPasteEdge = key.name === "paste-start" || key.name === "paste-end"
    const name = isPasting ? undefined : nameOf(key)
    if (name || isPasteEdge) passText()
    else if (text === "") queueMicrotask(passText)
    if (isPasteEdge) isPasting = key.name === "paste-start"
    else if (name) press({ kind: "key", name })
    else text += typed ?? ""
  }
  // Only this option of an interface is read.
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface)
  input.on("keypress", take).resume()
  return () => {
    input.off("keypress", take).pause()
  }
}

function nameOf({ name = "", ctrl, meta, shift }: Key): KeyName | undefined {
  if (ctrl && /^[a-z]$/.test(name)) return `ctrl-${name}`
  const key = KEYS.get(name)
  if (key === "tab" && shift) return "shift-tab"
  return key === "backspace" && meta ? "alt-backspace" : key
}
