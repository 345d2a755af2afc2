import type { Style } from "@treelog-internal/text"
import type { Look } from "../../render/table.js"
import { truncated } from "../../render/width.js"
import type { KeyHelp, KeyName, KeyPress } from "../frame/key-reader.js"
import type { Frame, Size } from "../frame/picker.js"
import { answerKey, fieldWith, LEAVE, type TextField } from "../frame/text-field.js"
import type { Readable } from "./found.js"

export const READER_KEYS: readonly KeyHelp[] = [
  ["Esc, q, Ctrl-O", "while reading: back to the same place"],
  ["/text, n, N", "while reading: search, the next place, the one before"],
]

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: A colour begins with one.
const COLOURS = /(\u001b\[[0-9;]*m)/

/** Lines above what was found: who says it. */
const ABOVE = 2

/** A session on the screen, to be read by lines and pages. */
export class Reader {
  readonly #lines: string[] = []
  readonly #rest: Iterator<string>
  #earlier: (() => readonly string[]) | undefined
  #top = 0
  #height = 1
  /** What is searched for; undefined where nothing is. */
  #sought: RegExp | undefined
  /** The text to search for, while it is written. */
  #field: TextField | undefined
  #notice = ""

  constructor({ lines, earlier, found }: Readable) {
    this.#rest = lines
    this.#earlier = earlier
    this.#sought = patternOf(found)
    if (this.#sought) this.#top = Math.max(0, this.#nextPlace(0) - ABOVE)
  }

  /** @returns false for a key that goes back */
  press(press: KeyPress): boolean {
    this.#notice = ""
    if (this.#field) {
      this.#write(this.#field, press)
      return true
    }
    if (press.kind === "text" && press.text === "/") this.#field = fieldWith("")
    else if (press.kind === "text" && press.text.toLowerCase() === "n") this.#goOn(press.text === "n" ? 1 : -1)
    const name = press.kind === "key" ? press.name : KEYS[press.text]
    if (name === undefined) return true
    if (LEAVE.has(name) || name === "ctrl-o" || name === "left") return false
    const by = { up: -1, down: 1, enter: 1, "page-up": -this.#height, "page-down": this.#height }[name as string]
    if (name === "home") this.#move(Number.NEGATIVE_INFINITY)
    else if (name === "end") this.#move(Number.POSITIVE_INFINITY)
    else if (by !== undefined) this.#move(by)
    return true
  }

  frame({ style }: Look, { columns, rows }: Size): Frame {
    this.#height = Math.max(1, rows - 2)
    this.#fill(this.#top + this.#height)
    const lines = this.#lines.slice(this.#top, this.#top + this.#height)
    const last = this.#top + lines.length
    const isEnd = this.#fill(last + 1) <= last
    const keys = `Esc back  Space, b page  g, G ends  / search  n, N next ${isEnd ? " (end)" : ""}`
    const below = this.#field ? `/${this.#field.text}` : this.#notice || keys
    return {
      lines: [
        ...lines.map((line) => this.#marked(line, style)),
        ...Array<string>(this.#height - lines.length).fill(""),
        style.paint("dim", truncated(below, columns, style.glyphs.ellipsis)),
      ],
      cursor: undefined,
    }
  }

  #write(field: TextField, press: KeyPress): void {
    const answer = answerKey(field, press)
    this.#field = answer !== "leave" && "field" in answer ? answer.field : undefined
    if (answer === "leave" || "field" in answer || answer.submitted === "") return
    this.#sought = patternOf([answer.submitted])
    this.#goOn(1)
  }

  /** Goes to the next place of what is searched for, or to the one before. */
  #goOn(by: 1 | -1): void {
    if (!this.#sought) return
    const at = by === 1 ? this.#nextPlace(this.#top + 1) : this.#placeBefore()
    if (at === -1) this.#notice = by === 1 ? "Nothing more below." : "Nothing more above."
    else this.#top = at
  }

  /** @returns -1 where there is none */
  #nextPlace(from: number): number {
    for (let at = from; this.#fill(at + 1) > at; at++) if (this.#isPlace(at)) return at
    return -1
  }

  #placeBefore(): number {
    for (let at = this.#top - 1; ; at--) {
      if (at < 0) at += this.#addEarlier()
      if (at < 0) return -1
      if (this.#isPlace(at)) return at
    }
  }

  #isPlace(at: number): boolean {
    return this.#pieces(this.#lines[at] ?? "").some((piece, index) => index % 2 === 0 && this.#has(piece))
  }

  #has(text: string): boolean {
    return this.#sought !== undefined && text.search(this.#sought) !== -1
  }

  #marked(line: string, style: Style): string {
    const sought = this.#sought
    if (!sought) return line
    const mark = (text: string): string => text.replace(sought, (found) => style.paint(["bold", "yellow"], found))
    return this.#pieces(line)
      .map((piece, index) => (index % 2 === 0 ? mark(piece) : piece))
      .join("")
  }

  /** Texts, and between each two of them a colour. */
  #pieces(line: string): string[] {
    return line.split(COLOURS)
  }

  /** @returns how many lines came before the others */
  #addEarlier(): number {
    const before = this.#earlier?.() ?? []
    this.#earlier = undefined
    this.#lines.unshift(...before)
    this.#top += before.length
    return before.length
  }

  #move(by: number): void {
    if (this.#top + by < 0) this.#addEarlier()
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

/** Any of the texts, in capitals or not; undefined for none. */
function patternOf(texts: readonly string[]): RegExp | undefined {
  const literals = texts
    .filter((text) => text.trim() !== "")
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
  return literals.length === 0 ? undefined : new RegExp(literals.join("|"), "giu")
}
