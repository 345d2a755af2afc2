import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { changed } from "../reader/stored-tail.js"
import type { Fingerprint, SessionReading } from "./session-reading.js"
import { readingOf, type SessionSummary, summaryOf } from "./session-summary.js"
import { printOf, SummaryReader } from "./summary-reader.js"

export interface StoredSession {
  readonly storage: SessionStorage
  readonly key: string
  /** The session id, if the key contains it. */
  readonly id?: string | undefined
  readonly stat: StorageStat
  /** Is read into, piece after piece. */
  readonly block: Uint8Array
}

/**
 * Sums a stored session up, of the size of `stat`. Where a former summary of it is given, and the bytes at the beginning and
 * at the end of what that one saw are still the same, only what was appended is read.
 * @throws SessionChangedError when it changes in other ways meanwhile; StorageError
 */
export async function readSummary(session: StoredSession, former: SessionSummary | undefined): Promise<SessionSummary> {
  const reading = former && readingOf(former)
  const tail = reading && (await tailToGoOnFrom(session, reading))
  const reader = new SummaryReader(session.key, reading && tail && { reading, tail })
  for (let at = tail ? (reading?.size ?? 0) : 0; at < session.stat.size && !reader.hasEnded; ) {
    const chunk = await read(session, at, session.stat.size)
    reader.push(chunk)
    at += chunk.length
  }
  return summaryOf(reader.finish(), session.id, session.stat)
}

/** A copy of the last bytes that the former reading saw, if they are still there, and more behind them. */
async function tailToGoOnFrom(
  session: StoredSession,
  { size, head, tail }: SessionReading,
): Promise<Uint8Array | undefined> {
  if (size >= session.stat.size || head.length > session.block.length) return undefined
  if (!isSame(await read(session, 0, head.length), head)) return undefined
  const bytes = await read(session, size - tail.length, size)
  return isSame(bytes, tail) ? new Uint8Array(bytes) : undefined
}

/** As many of the bytes `[from, to)` as there is room for, until something else is read. */
async function read({ storage, key, stat, block }: StoredSession, from: number, to: number): Promise<Uint8Array> {
  const bytes = await storage.readRange(key, from, Math.min(to - from, block.length), stat.identity, block)
  if (bytes.length === 0) throw changed(key, "shrunk")
  return bytes
}

function isSame(bytes: Uint8Array, { length, print }: Fingerprint): boolean {
  return bytes.length === length && printOf(bytes).print === print
}
