import type { Style } from "@treelog-internal/text"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { KeyHelp, KeyPress } from "./key-reader.js"
import type { Frame, Picker, Shown, Size } from "./picker.js"

/** The same in every picker. */
const EVERYWHERE: readonly KeyHelp[] = [
  ["Up, Down", "previous, next row"],
  ["Page Up, Page Down", "previous, next page"],
  ["Home, End", "first, last row"],
  ["letters", "search; every word has to match"],
  ["Backspace, Ctrl-W", "delete a letter, a word of the search"],
]

/** A picker whose keys are shown for `?`, where nothing is typed; the next key shows the picker again. */
export class WithHelp<Outcome> implements Shown {
  readonly #picker: Picker<unknown, Outcome>
  readonly #style: Style
  readonly #listeners = new Set<() => void>()
  #isShown = false

  constructor(picker: Picker<unknown, Outcome>, style: Style) {
    this.#picker = picker
    this.#style = style
  }

  get outcome(): Promise<Outcome | undefined> {
    return this.#picker.outcome
  }

  frame(size: Size): Frame {
    return this.#isShown ? helpFrame(this.#picker.keys, this.#style, size) : this.#picker.frame(size)
  }

  press(press: KeyPress): void {
    const isAsked = press.kind === "text" && press.text === "?" && !press.isPasted && this.#picker.isBlank
    const leaves = press.kind === "key" && press.name === "ctrl-c"
    if (leaves || (!this.#isShown && !isAsked)) this.#picker.press(press)
    else {
      this.#isShown = !this.#isShown
      for (const listener of this.#listeners) listener()
    }
  }

  resize(size: Size): void {
    this.#picker.resize(size)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    const stop = this.#picker.onChange(listener)
    return () => {
      this.#listeners.delete(listener)
      stop()
    }
  }
}

/** No line is wider than the screen; on a low one, the keys of this picker come first. */
function helpFrame(own: readonly KeyHelp[], { paint, glyphs }: Style, { columns, rows }: Size): Frame {
  const keys = [...own, ...EVERYWHERE]
  const width = Math.max(...keys.map(([name]) => widthOf(name)))
  const cut = (line: string): string => truncated(line, columns, glyphs.ellipsis)
  const lines = [
    paint("bold", cut("Keys")),
    ...keys.slice(0, Math.max(0, rows - 3)).map(([name, does]) => cut(`${padded(name, width)}  ${does}`)),
    paint("dim", cut("any key to go back")),
  ]
  return { lines: lines.slice(0, Math.max(1, rows - 1)), cursor: undefined }
}
