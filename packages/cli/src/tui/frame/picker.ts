import type { Style } from "@treelog-internal/text"
import { padded, truncated, widthOf } from "../../render/width.js"
import type { KeyHelp, KeyPress } from "./key-reader.js"

export interface Frame {
  readonly lines: readonly string[]
  /** The column of the cursor in the first line; undefined where it is hidden. */
  readonly cursor: number | undefined
}

/** The size of a terminal, in columns and rows. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/**
 * A list to choose from: it has the frame and the meaning of keys, and is independent of the terminal. A picker
 * holds a state that is replaced, never changed, and notifies the screen of each new one.
 */
export abstract class Picker<State, Outcome> {
  /** Resolves with what was picked, or with undefined when the user left; rejects with an unexpected error. */
  readonly outcome: Promise<Outcome | undefined>
  #state: State
  #hasEnded = false
  #isHelpShown = false
  #settle: { resolve: (outcome: Outcome | undefined) => void; reject: (error: unknown) => void } | undefined
  readonly #listeners = new Set<() => void>()

  constructor(state: State) {
    this.#state = state
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  get state(): State {
    return this.#state
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** What the keys do that not every picker has. */
  abstract readonly keys: readonly KeyHelp[]
  /** Whether nothing is typed yet: then `?` asks for the keys. */
  abstract get isBlank(): boolean

  abstract frame(size: Size): Frame
  abstract press(press: KeyPress): void
  abstract resize(size: Size): void

  /** What is on the screen: its frame, or after `?` what the keys do. */
  draw(size: Size, style: Style): Frame {
    return this.#isHelpShown ? helpFrame(this.keys, style, size) : this.frame(size)
  }

  /** Takes a key. `?` shows what the keys do, where nothing is typed; the next key shows the picker again, and does nothing else. */
  take(press: KeyPress): void {
    const isAsked = press.kind === "text" && press.text === "?" && !press.isPasted && this.isBlank
    const leaves = press.kind === "key" && press.name === "ctrl-c"
    if (leaves || (!this.#isHelpShown && !isAsked)) this.press(press)
    else {
      this.#isHelpShown = !this.#isHelpShown
      this.#notify()
    }
  }

  /** @returns a function that unsubscribes */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  protected change(state: State): void {
    if (state === this.#state || this.#hasEnded) return
    this.#state = state
    this.#notify()
  }

  protected end(outcome: Outcome | undefined): void {
    this.#hasEnded = true
    this.#settle?.resolve(outcome)
  }

  protected fail(error: unknown): void {
    this.#hasEnded = true
    this.#settle?.reject(error)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const EVERYWHERE: readonly KeyHelp[] = [
  ["Up, Down", "previous, next row"],
  ["Page Up, Page Down", "previous, next page"],
  ["Home, End", "first, last row"],
  ["letters", "search; every word has to match"],
  ["Backspace, Ctrl-W", "delete a letter, a word of the search"],
]

/** What the keys of a picker do. No line is wider than the screen; on a low one, the keys of this picker come first. */
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
