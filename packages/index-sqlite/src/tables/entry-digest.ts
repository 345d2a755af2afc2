import { textHash } from "@treelog-internal/sqlite"

const LOW = 0x1_0000_0000

/**
 * The digest of an entry as it is stored: mixed with its id, so that an entry whose id was damaged on the disk has another digest than its
 * bytes and is not shown. Applied twice, it is the digest again.
 */
export function mixedDigest(digest: number, id: string): number {
  const low = ((digest % LOW) ^ (textHash(id) % LOW)) >>> 0
  return Math.floor(digest / LOW) * LOW + low
}
