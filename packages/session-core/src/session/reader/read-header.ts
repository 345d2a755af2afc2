import type { SessionHeader } from "../../entry/header.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { type RangeReader, type ReadableStorage, readOutline } from "./read-stored.js"

/**
 * Reads as much of a session as it takes to see its header. Undefined when nothing, or no byte, is stored.
 * @throws InvalidSessionError when the first parseable line is no header
 */
export async function readHeader(storage: ReadableStorage, key: string): Promise<SessionHeader | undefined> {
  const stat = await storage.stat(key)
  return stat && headerOf(storage, key, stat)
}

/** The same of what is known to be stored. */
export async function headerOf(
  storage: RangeReader,
  key: string,
  stat: StorageStat,
): Promise<SessionHeader | undefined> {
  return (await readOutline(storage, key, stat))?.header
}
