import { truncated } from "../../render/width.js"
import type { KeyHelp, KeyName, KeyPress } from "../frame/key-reader.js"
import type { Frame, Size } from "../frame/picker.js"
import type { PickerDisplay } from "../frame/start-picker.js"
import { LEAVE } from "../frame/text-field.js"
import type { Readable } from "./found.js"

export const READER_KEYS: readonly KeyHelp[] = [["Esc, q, Ctrl-O", "while reading: back to the same place"]]

/** Keys of pagers. */
const KEYS: Readonly<Record<string, KeyName>> = {
  j: "down",
  k: "up",
  " ": "page-down",
  f: "page-down",
  b: "page-up",
  g: "home",
  G: "end",
  q: "escape",
}

/** A session on the screen, to be read by lines and pages. */
export class Reader {
  readonly #lines: string[] = []
  readonly #rest: Iterator<string>
  #earlier: (() => readonly string[]) | undefined
  #top = 0
  #height = 1

  constructor({ lines, earlier }: Readable) {
    this.#rest = lines
    this.#earlier = earlier
  }

  /** @returns false for a key that goes back */
  press(press: KeyPress): boolean {
    const name = press.kind === "key" ? press.name : KEYS[press.text]
    if (name === undefined) return true
    if (LEAVE.has(name) || name === "ctrl-o" || name === "left") return false
    const by = { up: -1, down: 1, enter: 1, "page-up": -this.#height, "page-down": this.#height }[name as string]
    if (name === "home") this.#move(Number.NEGATIVE_INFINITY)
    else if (name === "end") this.#move(Number.POSITIVE_INFINITY)
    else if (by !== undefined) this.#move(by)
    return true
  }

  frame({ style }: PickerDisplay, { columns, rows }: Size): Frame {
    this.#height = Math.max(1, rows - 2)
    this.#fill(this.#top + this.#height)
    const lines = this.#lines.slice(this.#top, this.#top + this.#height)
    const last = this.#top + lines.length
    const isEnd = this.#fill(last + 1) <= last
    const keys = `Esc back  Space, b page  g, G ends  ${isEnd ? "(end)" : ""}`
    return {
      lines: [
        ...lines,
        ...Array<string>(this.#height - lines.length).fill(""),
        style.paint("dim", truncated(keys, columns, style.glyphs.ellipsis)),
      ],
      cursor: undefined,
    }
  }

  #move(by: number): void {
    if (this.#top + by < 0 && this.#earlier) {
      const before = this.#earlier()
      this.#earlier = undefined
      this.#lines.unshift(...before)
      this.#top += before.length
    }
    const count = this.#fill(this.#top + by + this.#height)
    this.#top = Math.max(0, Math.min(this.#top + by, count - this.#height))
  }

  /** Makes so many lines, if there are. @returns how many there are now */
  #fill(count: number): number {
    while (this.#lines.length < count) {
      const next = this.#rest.next()
      if (next.done) break
      this.#lines.push(next.value)
    }
    return this.#lines.length
  }
}
