import { joinBytes } from "./join-bytes.js"
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
 * Cuts chunks into lines as they come. A line is often a part of its chunk. What is held of a chunk for the next one is a copy, so
 * that the memory of a chunk can be used again once its lines were taken.
 */
export class LineSplitter {
  #number: number
  #offset: number
  /** The pieces of a line whose end has not been seen. */
  #held: Uint8Array[] = []

  constructor(start: { line: number; offset: number } = { line: 1, offset: 0 }) {
    this.#number = start.line
    this.#offset = start.offset
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0
    for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
      this.#held.push(chunk.subarray(from, at))
      yield this.#take(true)
      from = at + 1
    }
    if (from < chunk.length) this.#held.push(new Uint8Array(chunk.subarray(from)))
  }

  *finish(): Generator<Line> {
    if (this.#held.length > 0) yield this.#take(false)
  }

  #take(terminated: boolean): Line {
    const whole = joinBytes(this.#held)
    this.#held = []
    const bom = this.#offset === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
    const cut = terminated && whole[whole.length - 1] === CR ? whole.length - 1 : whole.length
    const end = this.#offset + whole.length + (terminated ? 1 : 0)
    const line: Line = {
      number: this.#number,
      offset: this.#offset + bom,
      bytes: whole.subarray(Math.min(bom, cut), cut),
      end,
      terminated,
    }
    this.#number += 1
    this.#offset = end
    return line
  }
}
