import { HeldBytes } from "./held-bytes.js"
import type { Line } from "./line.js"

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
  #number: number
  #offset: number
  readonly #isPassing: boolean
  readonly #held = new HeldBytes(false)

  constructor(start: { line: number; offset: number } = { line: 1, offset: 0 }, { passing = false } = {}) {
    this.#number = start.line
    this.#offset = start.offset
    this.#isPassing = passing
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      yield this.#take(chunk.subarray(from, at), true)
      from = at + 1
    }
    if (from < chunk.length) this.#held.add(chunk.subarray(from))
  }

  *finish(): Generator<Line> {
    if (this.#held.length > 0) yield this.#take(new Uint8Array(), false)
  }

  #take(last: Uint8Array, terminated: boolean): Line {
    const isOwn = !this.#isPassing && this.#held.length > 0
    const taken = this.#held.take(last)
    const whole = isOwn ? new Uint8Array(taken) : taken
    const bom = this.#offset === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
    const cut = terminated && whole[whole.length - 1] === CR ? whole.length - 1 : whole.length
    const end = this.#offset + whole.length + (terminated ? 1 : 0)
    const line: Line = {
      number: this.#number,
      offset: this.#offset + bom,
      bytes: bom === 0 && cut === whole.length ? whole : whole.subarray(Math.min(bom, cut), cut),
      end,
      terminated,
    }
    this.#number += 1
    this.#offset = end
    return line
  }
}
