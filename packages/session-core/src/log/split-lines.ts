import { indexOfByte } from "./byte-text.js"
import { joinBytes } from "./bytes.js"
import { type Line, LONGEST_LINE } from "./line.js"

const LF = 0x0a
const CR = 0x0d

/**
 * Cuts a stream of chunks into lines (LF or CRLF; a BOM at the start is skipped). A line that spans chunks is joined
 * once, when its end is seen, so that the work is linear in the bytes however long a line is.
 * @param start where the first chunk begins, when it is not the start of the file
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  start?: { line: number; offset: number },
): AsyncGenerator<Line> {
  const splitter = new LineSplitter(start)
  for await (const chunk of chunks) yield* splitter.push(chunk)
  yield* splitter.finish()
}

/** The lines of bytes that are all at hand. */
export function* linesOf(bytes: Uint8Array, start?: { line: number; offset: number }): Generator<Line> {
  const splitter = new LineSplitter(start)
  yield* splitter.push(bytes)
  yield* splitter.finish()
}

/**
 * Cuts chunks into lines as they come. The bytes of a line are a part of its chunk, and valid as long as that is; those of a line
 * that spans chunks are its own.
 */
export class LineSplitter {
  /** Of the next line. */
  #number: number
  #offset: number
  readonly #held = new HeldBytes()

  constructor(start: { line: number; offset: number } = { line: 1, offset: 0 }) {
    this.#number = start.line
    this.#offset = start.offset
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let from = 0
    for (let at = indexOfByte(chunk, LF, 0); at !== -1; at = indexOfByte(chunk, LF, from)) {
      yield this.#cut(chunk.subarray(from, at), true)
      from = at + 1
    }
    this.#held.add(chunk.subarray(from))
  }

  *finish(): Generator<Line> {
    if (this.#held.length > 0) yield this.#cut(new Uint8Array(), false)
  }

  /** The line of which these are the last bytes. */
  #cut(last: Uint8Array, terminated: boolean): Line {
    const length = this.#held.length + last.length
    const pieces = [...this.#held.take(), last]
    const whole = length > LONGEST_LINE ? new Uint8Array() : joinBytes(pieces)
    const [number, offset] = [this.#number, this.#offset]
    const bom = offset === 0 && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0
    const bytes = withoutCr(bom === 0 ? whole : whole.subarray(bom), terminated)
    this.#number += 1
    this.#offset += length + (terminated ? 1 : 0)
    const line = { number, offset: offset + bom, bytes, end: this.#offset, terminated }
    return length > LONGEST_LINE ? { ...line, tooLong: length } : line
  }
}

/** A line of which the number is not known, since the file is read from its end. */
export type BackwardLine = Pick<Line, "offset" | "bytes" | "terminated">

/** Cuts blocks, which come from the last to the first, into lines, as a `LineSplitter` does. A BOM stays in the first line. */
export class BackwardSplitter {
  readonly #held = new HeldBytes()
  #isEmpty = true
  /** Whether a line end was found: it follows what is held. */
  #isTerminated = false

  /** Whether a line was found that is too long to be held: only reading forwards can continue behind it. */
  get isLost(): boolean {
    return this.#held.length > LONGEST_LINE
  }

  *push({ offset, bytes }: { readonly offset: number; readonly bytes: Uint8Array }): Generator<BackwardLine> {
    this.#isEmpty &&= bytes.length === 0
    let to = bytes.length
    for (const end of lineEnds(bytes).reverse()) {
      // What follows the last line end is a line only if there is something.
      if (this.#isTerminated || this.#held.length + to - end > 1)
        yield this.#cut(bytes.subarray(end + 1, to), offset + end + 1)
      this.#isTerminated = true
      to = end
    }
    this.#held.add(bytes.subarray(0, to))
  }

  *finish(): Generator<BackwardLine> {
    if (!this.#isEmpty) yield this.#cut(new Uint8Array(), 0)
  }

  #cut(first: Uint8Array, offset: number): BackwardLine {
    const bytes = withoutCr(joinBytes([first, ...this.#held.take().reverse()]), this.#isTerminated)
    return { offset, bytes, terminated: this.#isTerminated }
  }
}

function lineEnds(bytes: Uint8Array): number[] {
  const ends: number[] = []
  for (let at = indexOfByte(bytes, LF, 0); at !== -1; at = indexOfByte(bytes, LF, at + 1)) ends.push(at)
  return ends
}

function withoutCr(bytes: Uint8Array, terminated: boolean): Uint8Array {
  return terminated && bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes
}

/** The part of a line whose other end was not found yet. Of a line that is too long to be read, only its length is kept. */
class HeldBytes {
  length = 0
  #pieces: Uint8Array[] = []

  /** @param bytes may change afterwards */
  add(bytes: Uint8Array): void {
    this.length += bytes.length
    if (this.length > LONGEST_LINE) this.#pieces = []
    else if (bytes.length > 0) this.#pieces.push(new Uint8Array(bytes))
  }

  /** The pieces that were held, in the order in which they were added. */
  take(): Uint8Array[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.length = 0
    return pieces
  }
}
