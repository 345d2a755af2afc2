import type { SessionHeader } from "../../entry/header.js"
import { LogReader } from "../../log/session-log.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { HEAD, type RangeReader, type ReadableStorage, storedLines } from "./read-stored.js"

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
  const reader = new LogReader(key)
  for await (const line of storedLines(storage, key, stat, HEAD)) {
    reader.push(line)
    if (reader.header) return reader.header
  }
  return reader.finish()?.header
}
