import type { SessionHeader } from "../../entry/entry.js"
import { isTreelogError, TreelogError } from "../../errors.js"
import type { Line } from "../../log/line.js"
import { type LogOutline, LogReader, readLog, type SessionLog } from "../../log/session-log.js"
import { linesOf, splitLines } from "../../log/split-lines.js"
import type { SessionSource, StorageStat, StoredRanges } from "../../ports/session-source.js"
import { isSyncStorage, readAllSync } from "../../ports/sync-storage.js"
import { type Steps, step } from "../../steps.js"

const LARGEST_BLOCK = 1_048_576
/** Most headers are shorter. Bytes. */
const HEAD = 4096

/** How often a session is read at most that is replaced or cut while it is read. */
const ATTEMPTS = 5

/**
 * Reads a stored session, and reads it again where it was replaced or cut meanwhile.
 * @throws SessionChangedError where that does not end; what `read` throws
 */
export async function readUnchanged<T>(read: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await read(attempt)
    } catch (error) {
      if (!isTreelogError(error, "SessionChangedError") || attempt === ATTEMPTS) throw error
    }
}

/** As much of a storage as reading takes. */
export type ReadableStorage = Pick<SessionSource, "stat" | "statContent" | "readRange" | "openRanges" | "end">

export type RangeReader = Pick<SessionSource, "readRange">

/** Reads from what is open already. */
export function atOnce(ranges: StoredRanges): RangeReader {
  return { readRange: async (_, offset, length, _identity, into) => ranges.read(offset, length, into) }
}

interface StoredRange {
  readonly from: number
  readonly to: number
  readonly identity: string
  /** How much is read at first, where the beginning may be enough. Bytes. */
  readonly block?: number
}

/** The bytes `[from, to)` of what is stored, a block at a time. Fails when the object is replaced meanwhile. */
export async function* storedChunks(
  storage: RangeReader,
  key: string,
  { from, to, identity, block = LARGEST_BLOCK }: StoredRange,
): AsyncGenerator<Uint8Array> {
  let size = block
  for (let at = from; at < to; ) {
    const chunk = await storage.readRange(key, at, Math.min(size, to - at), identity)
    if (chunk.length === 0) return
    yield chunk
    at += chunk.length
    size = Math.min(size * 4, LARGEST_BLOCK)
  }
}

/** The bytes of a stored session: of a range, or all that it has now; none where there is no session. */
export async function* storedBytes(
  storage: Pick<SessionSource, "stat" | "statContent" | "readRange">,
  key: string,
  range?: StoredRange,
): AsyncGenerator<Uint8Array> {
  const stat = range ? undefined : await statToRead(storage, key)
  const read = range ?? (stat && { from: 0, to: stat.size, identity: stat.identity })
  if (read) yield* storedChunks(storage, key, read)
}

/** The state of the bytes that are read under a key. @throws as `stat` of the storage */
export function statToRead(
  storage: Pick<SessionSource, "stat" | "statContent">,
  key: string,
): Promise<StorageStat | undefined> {
  return storage.statContent?.(key) ?? storage.stat(key)
}

/** `statToRead`: at once, where the storage can. */
export function* statStored(storage: SessionSource, key: string): Steps<StorageStat | undefined> {
  return isSyncStorage(storage) ? storage.statSync(key) : yield* step(() => statToRead(storage, key))
}

/** The bytes from an offset on, up to the size in `stat`: at once, where the storage can. */
export function* readBytes(storage: SessionSource, key: string, stat: StorageStat, from = 0): Steps<Uint8Array> {
  if (isSyncStorage(storage)) return readAllSync(storage, key, stat, from)
  const length = stat.size - from
  return length > 0 ? yield* step(() => storage.readRange(key, from, length, stat.identity)) : new Uint8Array()
}

/** The lines that begin at a place or behind it. What is appended meanwhile is not seen. */
export function* storedLinesFrom(
  storage: SessionSource,
  key: string,
  start: { line: number; offset: number },
  stat: StorageStat,
): Steps<Line[]> {
  return [...linesOf(yield* readBytes(storage, key, stat, start.offset), start)]
}

/** The lines of what is stored, of the size in `stat`: what is appended meanwhile is not seen. */
export function storedLines(
  storage: RangeReader,
  key: string,
  { size, identity }: StorageStat,
  block?: number,
): AsyncGenerator<Line> {
  return splitLines(storedChunks(storage, key, { from: 0, to: size, identity, ...(block !== undefined && { block }) }))
}

/** Reads the lines up to the header. Undefined when it has no bytes. @throws InvalidSessionError */
export async function readOutline(
  storage: RangeReader,
  key: string,
  stat: StorageStat,
): Promise<LogOutline | undefined> {
  const reader = new LogReader(key)
  for await (const line of storedLines(storage, key, stat, HEAD)) {
    reader.push(line)
    if (reader.header) break
  }
  return reader.finish()
}

/** Reads all of a session that must have bytes. @throws InvalidSessionError */
export async function readWholeLog(storage: ReadableStorage, key: string, stat: StorageStat): Promise<SessionLog> {
  const log = await readLog(storedLines(storage, key, stat), key)
  if (log) return log
  throw noBytes(key)
}

/** Why lines without a header are not a session. */
export function noHeaderError(log: LogReader, key: string): TreelogError<"InvalidSessionError"> {
  try {
    log.finish()
    return noBytes(key)
  } catch (error) {
    if (isTreelogError(error, "InvalidSessionError")) return error
    throw error
  }
}

export function noBytes(key: string): TreelogError<"InvalidSessionError"> {
  return new TreelogError("InvalidSessionError", `${key} is empty: it has no bytes.`, { key, found: "no bytes" })
}

/**
 * Reads as much of a session as it takes to see its header. Undefined when nothing, or no byte, is stored.
 * @throws InvalidSessionError when the first parseable line is not a header
 */
export async function readHeader(storage: ReadableStorage, key: string): Promise<SessionHeader | undefined> {
  const stat = await statToRead(storage, key)
  return stat && headerOf(storage, key, stat)
}

/** The header of what is known to be stored. */
export async function headerOf(
  storage: RangeReader,
  key: string,
  stat: StorageStat,
): Promise<SessionHeader | undefined> {
  return (await readOutline(storage, key, stat))?.header
}
