import { isTreelogError } from "../../errors.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import type { ListFilter } from "../../ports/stored-name.js"
import type { FoundSession } from "../../ports/summary-cache.js"
import { findSessions } from "./find-sessions.js"
import { readSummary } from "./read-summary.js"
import { caughtError, ScannedSession } from "./scanned-session.js"
import { summaryIn } from "./session-summary.js"

/** How many sessions are read at a time: enough to keep a disk busy, few enough to bound the memory. */
const READ = 8
/** So many wait to be read before the search pauses: enough that known sessions are found meanwhile. */
const WAITING = 256
/** Bytes. */
const BLOCK = 512 * 1024
/** How often a session is read again that was replaced or cut while it was read. */
const ATTEMPTS = 3

/** Some scanned sessions, and how many more were found that are still to be scanned. */
export interface ScannedBatch {
  readonly sessions: readonly ScannedSession[]
  readonly pending: number
}

/**
 * Scans every session of a storage, some at a time, in no particular order. With a cache of summaries, only what changed is
 * read, and what is known comes first.
 */
export async function* scanSessions(storage: SessionStorage, filter: ListFilter): AsyncGenerator<ScannedBatch> {
  const reads = new BackgroundReads(storage)
  try {
    for await (const found of findSessions(storage, filter)) {
      const known: ScannedSession[] = []
      for (const session of found) {
        const summary = session.cached?.isCurrent ? summaryIn(session.cached) : undefined
        if (summary || session.error) known.push(new ScannedSession(session, summary))
        else reads.add(session)
      }
      known.push(...reads.take())
      yield { sessions: known, pending: reads.pending }
      while (reads.pending > WAITING) yield { sessions: await reads.next(), pending: reads.pending }
    }
    while (reads.pending > 0) yield { sessions: await reads.next(), pending: reads.pending }
  } finally {
    await reads.stop()
  }
}

/** Reads sessions in the background, some at a time. What is stored no more is left out. */
class BackgroundReads {
  readonly #storage: SessionStorage
  readonly #waiting: FoundSession[] = []
  readonly #running = new Set<Promise<void>>()
  /** Those that no read uses. */
  readonly #blocks: Uint8Array[] = []
  #read: ScannedSession[] = []

  constructor(storage: SessionStorage) {
    this.#storage = storage
  }

  /** How many were added that have not been taken. */
  get pending(): number {
    return this.#waiting.length + this.#running.size + this.#read.length
  }

  add(session: FoundSession): void {
    this.#waiting.push(session)
    this.#start()
  }

  /** Those that were read since the last call. */
  take(): ScannedSession[] {
    const read = this.#read
    this.#read = []
    return read
  }

  /** The same, once the next read has ended. */
  async next(): Promise<ScannedSession[]> {
    if (this.#read.length === 0) await Promise.race(this.#running)
    return this.take()
  }

  /** Starts no further read, and resolves when those that are running have ended. */
  async stop(): Promise<void> {
    this.#waiting.length = 0
    await Promise.all(this.#running)
  }

  #start(): void {
    while (this.#running.size < READ) {
      const session = this.#waiting.shift()
      if (!session) return
      const block = this.#blocks.pop() ?? new Uint8Array(BLOCK)
      const running = readSession(this.#storage, session, block).then((scanned) => {
        if (scanned) this.#read.push(scanned)
        this.#blocks.push(block)
        this.#running.delete(running)
        this.#start()
      })
      this.#running.add(running)
    }
  }
}

/** Undefined when it is stored no more. Whatever goes wrong with one session is listed as its error. */
async function readSession(
  storage: SessionStorage,
  { key, id, stat: before, cached }: FoundSession,
  block: Uint8Array,
): Promise<ScannedSession | undefined> {
  const name = id === undefined ? { key } : { key, id }
  let stat: StorageStat | undefined = before
  let former = summaryIn(cached)
  for (let attempt = 1; ; attempt++) {
    try {
      stat ??= await storage.stat(key)
      if (!stat) return undefined
      const summary = await readSummary({ storage, key, id, stat, block }, former)
      storage.summaries?.put(key, stat, summary)
      return new ScannedSession({ ...name, stat }, summary)
    } catch (error) {
      if (!isTreelogError(error, "SessionChangedError") || attempt === ATTEMPTS)
        return new ScannedSession({ ...name, error: caughtError(error), ...(stat && { stat }) })
      stat = undefined
      former = undefined
    }
  }
}
