import { HeldBytes } from "./held-bytes.js"
import { type Line, LONGEST_LINE } from "./line.js"

const LF = 0x0a
const CR = 0x0d

/**
 * Cuts a stream of chunks into lines (LF or CRLF; a BOM at the start is passed over). A line that spans chunks is joined
 * once, when its end is seen, so that the work is linear in the bytes however long a line is.
 * @param start where the first chunk begins, when it is not the start of the file
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  start: { line: number; offset: number } = { line: 1, offset: 0 },
): AsyncGenerator<Line> {
  const splitter = new LineSplitter(start)
  for await (const chunk of chunks) yield* splitter.push(chunk)
  yield* splitter.finish()
}

/** The same for bytes that are all at hand. */
export function* linesOf(
  bytes: Uint8Array,
  start: { line: number; offset: number } = { line: 1, offset: 0 },
): Generator<Line> {
  const splitter = new LineSplitter(start)
  yield* splitter.push(bytes)
  yield* splitter.finish()
}

/**
 * Cuts chunks into lines as they come. The bytes of a line are often a part of its chunk; those of a line that spans chunks are
 * their own, or, for `passing` lines, good until the next line is asked for.
 */
export class LineSplitter {
  readonly #isPassing: boolean
  readonly #cutter: LineCutter

  constructor(start: { line: number; offset: number } = { line: 1, offset: 0 }, { passing = false } = {}) {
    this.#isPassing = passing
    this.#cutter = new LineCutter(start)
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      yield this.#cut(chunk.subarray(from, at), true)
      from = at + 1
    }
    this.#cutter.hold(chunk.subarray(from))
  }

  *finish(): Generator<Line> {
    if (this.#cutter.holds) yield this.#cut(new Uint8Array(), false)
  }

  #cut(last: Uint8Array, terminated: boolean): Line {
    const isOwn = !this.#isPassing && this.#cutter.holds
    const line = this.#cutter.cut(last, terminated)
    return isOwn ? { ...line, bytes: new Uint8Array(line.bytes) } : line
  }
}

/** Where one is between the lines of what is stored, and the beginning of a line that ends in a later chunk. */
export class LineCutter {
  /** Of the next line. */
  number: number
  offset: number
  readonly #held = new HeldBytes(false)
  constructor(start: { line: number; offset: number } = { line: 1, offset: 0 }) {
    this.number = start.line
    this.offset = start.offset
  }

  /** Whether a line was begun. */
  get holds(): boolean {
    return this.#held.length > 0
  }

  /** Keeps the beginning of a line, as long as the line may still be read. */
  hold(bytes: Uint8Array): void {
    this.#held.add(bytes)
  }

  /** Goes behind a line that somebody else read. @param length without its LF, which is there */
  pass(length: number): void {
    this.number += 1
    this.offset += length + 1
  }

  /** The line of which these are the last bytes. Those of a line that was held are good until more is held. */
  cut(last: Uint8Array, terminated: boolean): Line {
    const length = this.#held.length + last.length
    const whole = this.#held.take(last)
    const { number, offset } = this
    const bom = offset === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
    const cut = terminated && whole[whole.length - 1] === CR ? whole.length - 1 : whole.length
    const bytes = bom === 0 && cut === whole.length ? whole : whole.subarray(Math.min(bom, cut), cut)
    this.number += 1
    this.offset += length + (terminated ? 1 : 0)
    const line = { number, offset: offset + bom, bytes, end: this.offset, terminated }
    return length > LONGEST_LINE ? { ...line, tooLong: length } : line
  }
}
