import { joinBytes } from "./join-bytes.js"
import type { ReadBytes } from "./splice.js"

const LF = 0x0a
const CR = 0x0d

/** Blocks double up to the largest: a short look at the end stays short, a long one is made of few reads. Bytes. */
const FIRST_BLOCK = 64 * 1024
const LARGEST_BLOCK = 4 * 1024 * 1024

/** A line of which the number is not known, since the file is read from its end. */
export interface BackwardLine {
  readonly offset: number
  /** The content, without its line ending. */
  readonly bytes: Uint8Array
  readonly terminated: boolean
}

/** Yields the lines of what is stored from the last to the first, a block at a time. A long line is joined once. */
export async function* linesBackward(read: ReadBytes, size: number): AsyncGenerator<BackwardLine> {
  // The pieces of a line whose beginning has not been seen, the last one first.
  let held: Uint8Array[] = []
  let terminated = false
  let blockSize = FIRST_BLOCK
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - blockSize)
    const block = await read(start, end - start)
    let to = block.length
    for (let at = block.lastIndexOf(LF); at !== -1; at = to === 0 ? -1 : block.lastIndexOf(LF, to - 1)) {
      held.push(block.subarray(at + 1, to))
      const line = whole(held, start + at + 1, terminated)
      // Behind the last line end there is nothing, which is no line.
      if (line.bytes.length > 0 || line.terminated) yield line
      held = []
      terminated = true
      to = at
    }
    held.push(block.subarray(0, to))
    end = start
    blockSize = Math.min(blockSize * 2, LARGEST_BLOCK)
  }
  if (size > 0) yield whole(held, 0, terminated)
}

function whole(held: Uint8Array[], offset: number, terminated: boolean): BackwardLine {
  const bytes = joinBytes(held.reverse())
  const cut = terminated && bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length
  return { offset, bytes: bytes.subarray(0, cut), terminated }
}
