import { readWholeSync, type SyncFile } from "@treelog-internal/fs"

/** Cuts the file at `from`, if what follows there is a first part of the bytes and nothing else. */
export function truncateTorn(file: SyncFile, from: number, bytes: Uint8Array): void {
  const tail = Number(file.statSync({ bigint: true }).size) - from
  if (tail <= 0 || tail > bytes.length) return
  const found = new Uint8Array(tail)
  const length = readWholeSync(file, found, from)
  if (Buffer.compare(found.subarray(0, length), bytes.subarray(0, tail)) === 0) file.truncateSync(from)
}
