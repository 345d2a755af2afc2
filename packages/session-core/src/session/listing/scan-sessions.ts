import type { FoundSession, ListFilter, SessionSource } from "../../ports/session-source.js"
import { readUnchanged, statToRead } from "../reader/read-stored.js"
import { brokenSummary, errorInfo, type SessionSummary, summaryIn } from "./session-info.js"
import { readSummary } from "./summary-reader.js"

/** The sessions that a storage lists, some at a time; with what its cache knows of them, where it has one. */
export async function* findSessions(
  storage: SessionSource,
  filter: ListFilter,
): AsyncGenerator<readonly FoundSession[]> {
  if (storage.summaries) yield* storage.summaries.scan(filter)
  else for await (const name of storage.list(filter)) yield [name]
}

/** How many sessions are read at a time: enough to keep a disk busy, few enough to bound the memory. */
const READ = 8
/** So many wait to be read before the search pauses: enough that known sessions are found meanwhile. */
const WAITING = 256
/** Bytes. */
const BLOCK = 524_288
/** A session that was scanned. A cache may read `summary.info` when it is needed. */
export interface ScannedSession {
  readonly found: FoundSession
  readonly summary: SessionSummary
}

/** Some scanned sessions, and how many more were found that are still to be scanned. */
interface ScannedBatch {
  readonly sessions: readonly ScannedSession[]
  readonly pending: number
  /** If those come first that were written last: none that is pending was written later. Milliseconds since 1970. */
  readonly latest: number
}

/**
 * Scans every session of a storage, some at a time, in no particular order. With a cache of summaries, only what changed is
 * read, and what is known comes first.
 */
export function scanSessions(storage: SessionSource, filter: ListFilter): AsyncGenerator<ScannedBatch> {
  return scanFound(storage, findSessions(storage, filter))
}

/** `scanSessions` of sessions that were found already. */
export async function* scanFound(
  storage: SessionSource,
  batches: AsyncIterable<readonly FoundSession[]> | Iterable<readonly FoundSession[]>,
): AsyncGenerator<ScannedBatch> {
  const scan = new BackgroundScan(storage)
  const batch = (sessions: ScannedSession[]) => ({ sessions, pending: scan.pending, latest: scan.latest })
  try {
    for await (const found of batches) {
      for (const session of found) scan.add(session)
      yield batch(scan.take())
      while (scan.pending > WAITING) yield batch(await scan.next())
    }
    while (scan.pending > 0) yield batch(await scan.next())
  } finally {
    await scan.stop()
  }
}

/** `scanSessions` once all were found, those first that were written last. */
export async function* scanLastWritten(storage: SessionSource, filter: ListFilter): AsyncGenerator<ScannedBatch> {
  const all: FoundSession[] = []
  for await (const found of findSessions(storage, filter)) all.push(...found)
  yield* scanFound(storage, [all.sort((a, b) => writtenAt(b) - writtenAt(a))])
}

/** Where it is not known: any time. */
function writtenAt({ stat, modified = Number.POSITIVE_INFINITY }: FoundSession): number {
  return stat?.modified ?? modified
}

/** Reads sessions that the cache does not know, in the background, some at a time. What is stored no more is left out. */
class BackgroundScan {
  readonly #storage: SessionSource
  readonly #waiting: FoundSession[] = []
  readonly #running = new Map<Promise<void>, FoundSession>()
  /** Those that no read uses. */
  readonly #blocks: Uint8Array[] = []
  #scanned: ScannedSession[] = []

  constructor(storage: SessionSource) {
    this.#storage = storage
  }

  /** How many were added that have not been taken. */
  get pending(): number {
    return this.#waiting.length + this.#running.size + this.#scanned.length
  }

  add(found: FoundSession): void {
    const { cached } = found
    const known = cached?.isCurrent ? summaryIn(cached) : undefined
    if (known) this.#scanned.push({ found, summary: known })
    else if (found.error) {
      const summary = brokenSummary(found.id, errorInfo(found.error, "StorageError"), found.stat)
      this.#scanned.push({ found, summary })
    } else {
      this.#waiting.push(found)
      this.#start()
    }
  }

  /** When the last of those was written that are still to be read, if they were added in that order. */
  get latest(): number {
    return Math.max(...[...this.#running.values(), ...this.#waiting.slice(0, 1)].map(writtenAt))
  }

  /** Those that were scanned since the last call. */
  take(): ScannedSession[] {
    const scanned = this.#scanned
    this.#scanned = []
    return scanned
  }

  /** What was scanned, once the next read has ended. */
  async next(): Promise<ScannedSession[]> {
    if (this.#scanned.length === 0) await Promise.race(this.#running.keys())
    return this.take()
  }

  /** Starts no further read, and resolves when those that are running have ended. */
  async stop(): Promise<void> {
    this.#waiting.length = 0
    await Promise.all(this.#running.keys())
  }

  #start(): void {
    while (this.#running.size < READ) {
      const found = this.#waiting.shift()
      if (!found) return
      const block = this.#blocks.pop() ?? new Uint8Array(BLOCK)
      const running = summaryOf(this.#storage, found, block).then((summary) => {
        if (summary) this.#scanned.push({ found, summary })
        this.#blocks.push(block)
        this.#running.delete(running)
        this.#start()
      })
      this.#running.set(running, found)
    }
  }
}

/** Undefined when it is stored no more. Whatever goes wrong with one session is listed as its error. */
async function summaryOf(
  storage: SessionSource,
  { key, id, cached, ...found }: FoundSession,
  block: Uint8Array,
): Promise<SessionSummary | undefined> {
  let stat = found.stat
  try {
    return await readUnchanged(async (attempt) => {
      const isFirst = attempt === 1
      stat = (isFirst ? stat : undefined) ?? (await statToRead(storage, key))
      if (!stat) return undefined
      const session = { storage, key, id, stat, block }
      const summary = await readSummary(session, isFirst ? summaryIn(cached) : undefined)
      storage.summaries?.put(key, stat, summary)
      return summary
    })
  } catch (error) {
    return brokenSummary(id, errorInfo(error, "InternalError"), stat)
  }
}
