import type { StorageStat } from "../../ports/storage-stat.js"
import type { ReadableStorage } from "./read-stored.js"

/** Bytes. */
const BLOCK = 1 << 20

/**
 * The bytes of what is stored, a block at a time; while one is looked at, the next is on its way. Two pieces of memory are used in
 * turn: a block is good until the next one is asked for.
 */
export async function* passingBlocks(
  storage: Pick<ReadableStorage, "readRange">,
  key: string,
  { size, identity }: Pick<StorageStat, "size" | "identity">,
): AsyncGenerator<Uint8Array> {
  const rooms = [new Uint8Array(BLOCK), new Uint8Array(BLOCK)]
  let offset = 0
  const next = (): Promise<Uint8Array> | undefined => {
    if (offset >= size) return undefined
    const length = Math.min(BLOCK, size - offset)
    const room = rooms[(offset / BLOCK) % 2] as Uint8Array
    const coming = storage.readRange(key, offset, length, identity, room)
    offset += length
    return coming
  }
  let coming = next()
  try {
    while (coming) {
      const block: Uint8Array = await coming
      coming = undefined
      if (block.length === 0) return
      coming = next()
      yield block
    }
  } finally {
    // Who stops early does not want the block on its way, nor to hear of its failure; but it must have ended.
    await Promise.allSettled([coming])
  }
}
