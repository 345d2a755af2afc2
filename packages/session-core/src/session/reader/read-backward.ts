import type { SessionSource, StorageStat, StoredRanges } from "../../ports/session-source.js"

// Small blocks that are read at once stay in the processor's own memory while they are scanned. Where a storage cannot read at once, each block is a message to another thread, and large ones pay.

/** At first, and where blocks are read at once. Bytes. */
const SMALL = 131_072
/** Blocks that are waited for grow up to this, since little is needed of most sessions. Bytes. */
const LARGE = 1_048_576
/** After so many bytes that were read at once, the rest of the process gets its turn. */
const TURN = 16_777_216

/** Where blocks come from. */
export interface BlockSource {
  readonly storage: Pick<SessionSource, "readRange">
  readonly key: string
  readonly stat: Pick<StorageStat, "size" | "identity">
  /** Reads ranges without promises, where the storage has them. */
  readonly ranges: StoredRanges | undefined
}

export interface StoredBlock {
  readonly offset: number
  readonly bytes: Uint8Array
}

/**
 * The bytes of what is stored, a block at a time, from its end to its beginning. Blocks that are read at once are in the same memory: a
 * block is valid until the next one is requested.
 */
export async function* readBackward({ storage, key, stat, ranges }: BlockSource): AsyncGenerator<StoredBlock> {
  const into = ranges && new Uint8Array(SMALL)
  let longest = SMALL
  for (let offset = stat.size; offset > 0; ) {
    const length = Math.min(longest, offset)
    offset -= length
    const bytes = ranges
      ? ranges.read(offset, length, into)
      : await storage.readRange(key, offset, length, stat.identity)
    if (bytes.length === 0) return
    yield { offset, bytes }
    if (!ranges) longest = Math.min(longest * 4, LARGE)
    else if ((stat.size - offset) % TURN < length) await ranges.pause?.()
  }
}
