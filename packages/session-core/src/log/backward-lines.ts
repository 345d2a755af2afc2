import { joinBytes } from "./join-bytes.js"

const LF = 0x0a
const CR = 0x0d

/** Blocks double up to the largest: a short look at the end stays short, a long one is made of few reads. Bytes. */
const FIRST_BLOCK = 64 * 1024
const LARGEST_BLOCK = 2 * 1024 * 1024

/** A line of which the number is not known, since the file is read from its end. */
export interface BackwardLine {
  readonly offset: number
  /** The content, without its line ending. */
  readonly bytes: Uint8Array
  readonly terminated: boolean
}

/** Reads a range; `into` is room for it, which the result may be a part of. */
export type ReadInto = (offset: number, length: number, into: Uint8Array) => Promise<Uint8Array>

/**
 * Yields the lines of what is stored from the last to the first, a block at a time. A long line is joined once. The bytes of a
 * line are good until the next one is asked for: the memory of blocks is used again.
 */
export async function* linesBackward(read: ReadInto, size: number): AsyncGenerator<BackwardLine> {
  // The pieces of a line whose beginning has not been seen, the last one first.
  let held: Uint8Array[] = []
  let terminated = false
  for await (const { start, bytes } of blocksBackward(read, size)) {
    let to = bytes.length
    for (const at of lineEnds(bytes).reverse()) {
      held.push(bytes.subarray(at + 1, to))
      const line = whole(held, start + at + 1, terminated)
      // Behind the last line end there is nothing, which is no line.
      if (line.bytes.length > 0 || line.terminated) yield line
      held = []
      terminated = true
      to = at
    }
    held.push(new Uint8Array(bytes.subarray(0, to)))
  }
  if (size > 0) yield whole(held, 0, terminated)
}

interface Block {
  readonly start: number
  readonly bytes: Uint8Array
}

/** The blocks from the last to the first; while one is looked at, the next is on its way, in the other of two pieces of memory. */
async function* blocksBackward(read: ReadInto, size: number): AsyncGenerator<Block> {
  // The room for the next block, and that of the one that is looked at.
  let rooms: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()]
  const fetch = async (end: number, blockSize: number): Promise<Block> => {
    const start = Math.max(0, end - blockSize)
    const room = rooms[0].length < end - start ? new Uint8Array(end - start) : rooms[0]
    rooms = [rooms[1], room]
    return { start, bytes: await read(start, end - start, room) }
  }
  let blockSize = FIRST_BLOCK
  let coming = size > 0 ? fetch(size, blockSize) : undefined
  try {
    while (coming) {
      const block: Block = await coming
      blockSize = Math.min(blockSize * 2, LARGEST_BLOCK)
      coming = block.start > 0 ? fetch(block.start, blockSize) : undefined
      yield block
    }
  } finally {
    // Who stops early does not want the block on its way, nor to hear of its failure; but it must have ended.
    await Promise.allSettled([coming])
  }
}

/** Found forwards, where the runtime searches many times faster than backwards. */
function lineEnds(block: Uint8Array): number[] {
  const ends: number[] = []
  for (let at = block.indexOf(LF); at !== -1; at = block.indexOf(LF, at + 1)) ends.push(at)
  return ends
}

function whole(held: Uint8Array[], offset: number, terminated: boolean): BackwardLine {
  const bytes = joinBytes(held.reverse())
  const cut = terminated && bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length
  return { offset, bytes: bytes.subarray(0, cut), terminated }
}
