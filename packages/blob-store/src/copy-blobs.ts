import { type BlobSource, type BlobStore, isTreelogError } from "@treelog/session-core"
import type { Tally } from "./tally.js"

/** What came of copying blobs. */
export interface CopiedBlobs {
  /** What is in the other store now; what was there already is among it. */
  readonly copied: Tally
  /** Hashes of those that are not in the store, or are not what was stored there. */
  readonly missing: readonly string[]
  readonly damaged: readonly string[]
}

/**
 * Copies blobs of one store to another, and verifies each while it is copied. One that is there already is put as well: it counts
 * as put now, so that no sweep takes it before a line names it. Nothing of a damaged one is stored.
 * @throws StorageError
 */
export async function copyBlobs(hashes: Iterable<string>, from: BlobSource, to: BlobStore): Promise<CopiedBlobs> {
  let [count, bytes] = [0, 0]
  const missing: string[] = []
  const damaged: string[] = []
  for (const hash of hashes) {
    try {
      await to.put(from.openRead(hash))
      count += 1
      bytes += (await to.size(hash)) ?? 0
    } catch (error) {
      if (isTreelogError(error, "BlobNotFoundError")) missing.push(hash)
      else if (isTreelogError(error, "BlobDamagedError")) damaged.push(hash)
      else throw error
    }
  }
  return { copied: { count, bytes }, missing, damaged }
}
