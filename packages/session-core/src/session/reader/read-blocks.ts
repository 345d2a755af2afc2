import type { SessionStorage, StorageStat, StoredRanges } from "../../ports/session-storage.js"

// Small blocks that are read at once stay in the processor's own memory while they are looked at: that is three times as fast as
// large ones. Where a storage cannot read at once, each block is a message to another thread, and large ones pay.

/** Read at once. Bytes. */
const SMALL = 128 * 1024
/** After so many bytes that were read at once, the rest of the process gets its turn. */
const TURN = 16 * 1024 * 1024
/** Where blocks are waited for. From the end they grow up to this, since little is needed of most sessions. Bytes. */
const LARGE = 1024 * 1024

/** Where blocks come from. */
export interface BlockSource {
  readonly storage: Pick<SessionStorage, "readRange">
  readonly key: string
  readonly stat: Pick<StorageStat, "size" | "identity">
  /** The same, without promises, where the storage has them. */
  readonly ranges: StoredRanges | undefined
}

export interface StoredBlock {
  readonly offset: number
  readonly bytes: Uint8Array
}

/**
 * The bytes of what is stored from one end to the other, a block at a time. The memory of blocks is used again: a block is good
 * until the next one is requested.
 */
export function readBlocks(source: BlockSource, direction: "forward" | "backward"): AsyncGenerator<StoredBlock> {
  const passage = new Passage(source.stat.size, direction === "backward")
  if (source.ranges) return readAtOnce(source.ranges, passage)
  return readAhead(source, passage, direction === "forward" ? LARGE : SMALL)
}

interface Range {
  readonly offset: number
  readonly length: number
}

/** The way through `[0, size)`. */
class Passage {
  readonly #isBackward: boolean
  /** What is left of it. */
  #from = 0
  #to: number

  constructor(size: number, isBackward: boolean) {
    this.#to = size
    this.#isBackward = isBackward
  }

  next(longest: number): Range | undefined {
    const length = Math.min(longest, this.#to - this.#from)
    if (length === 0) return undefined
    if (this.#isBackward) this.#to -= length
    else this.#from += length
    return { offset: this.#isBackward ? this.#to : this.#from - length, length }
  }
}

async function* readAtOnce(ranges: StoredRanges, passage: Passage): AsyncGenerator<StoredBlock> {
  const room = new Uint8Array(SMALL)
  let atOnce = 0
  for (let range = passage.next(SMALL); range; range = passage.next(SMALL)) {
    const { offset, length } = range
    const bytes = ranges.read(offset, length, room)
    if (bytes.length === 0) return
    yield { offset, bytes }
    atOnce += length
    if (atOnce >= TURN) await ranges.pause?.()
    atOnce %= TURN
  }
}

/** While one block is looked at, the next is on its way, in the other of two pieces of memory. */
async function* readAhead(
  { storage, key, stat }: BlockSource,
  passage: Passage,
  shortest: number,
): AsyncGenerator<StoredBlock> {
  // The room for the next block, and that of the one that is looked at.
  let rooms: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()]
  let longest = shortest
  const next = async (): Promise<StoredBlock | undefined> => {
    const range = passage.next(longest)
    if (!range) return undefined
    longest = Math.min(longest * 4, LARGE)
    const { offset, length } = range
    const room = rooms[0].length < length ? new Uint8Array(length) : rooms[0]
    rooms = [rooms[1], room]
    return { offset, bytes: await storage.readRange(key, offset, length, stat.identity, room) }
  }
  let coming: Promise<StoredBlock | undefined> | undefined = next()
  try {
    while (coming) {
      const block: StoredBlock | undefined = await coming
      coming = undefined
      if (!block || block.bytes.length === 0) return
      coming = next()
      // A failure is reported when its turn comes; until then it would be an unhandled rejection.
      void Promise.allSettled([coming])
      yield block
    }
  } finally {
    // Who stops early does not want the block on its way, nor to hear of its failure; but it must have ended.
    await Promise.allSettled([coming])
  }
}
