import { isTreelogError } from "../../errors.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import type { ListFilter } from "../../ports/stored-name.js"
import type { FoundSession } from "../../ports/summary-cache.js"
import { Background } from "./background.js"
import { findSession, findSessions } from "./find-sessions.js"
import { readSummary } from "./read-summary.js"
import { caughtError, ScannedSession } from "./scanned-session.js"
import { type SessionSummary, summaryIn } from "./session-summary.js"

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
  const reads = readsOf(storage)
  try {
    for await (const found of findSessions(storage, filter)) {
      const known: ScannedSession[] = []
      for (const session of found) {
        const looked = knownAlready(session)
        if (looked) known.push(looked)
        else reads.add(session)
      }
      known.push(...existing(reads.take()))
      yield { sessions: known, pending: reads.pending }
      while (reads.pending > WAITING) yield { sessions: existing(await reads.next()), pending: reads.pending }
    }
    while (reads.pending > 0) yield { sessions: existing(await reads.next()), pending: reads.pending }
  } finally {
    await reads.stop()
  }
}

/** The same for some keys. What is stored no more is left out. */
export async function* scanKeys(storage: SessionStorage, keys: readonly string[]): AsyncGenerator<ScannedSession> {
  const reads = readsOf(storage)
  try {
    for (const key of keys) {
      const session = await findSession(storage, key)
      const looked = session && knownAlready(session)
      if (looked) yield looked
      else if (session) reads.add(session)
      yield* existing(reads.pending > WAITING ? await reads.next() : reads.take())
    }
    while (reads.pending > 0) yield* existing(await reads.next())
  } finally {
    await reads.stop()
  }
}

/** Undefined where it has to be read. */
function knownAlready(session: FoundSession): ScannedSession | undefined {
  const { error, cached } = session
  const summary = cached?.isCurrent ? summaryIn(cached) : undefined
  return summary || error ? new ScannedSession(session, summary) : undefined
}

function existing(looked: readonly (ScannedSession | undefined)[]): ScannedSession[] {
  return looked.filter((session) => session !== undefined)
}

/** Reads sessions in the background; gives undefined for what is stored no more. */
function readsOf(storage: SessionStorage): Background<FoundSession, ScannedSession | undefined> {
  const blocks: Uint8Array[] = []
  return new Background(READ, (session, worker) => {
    blocks[worker] ??= new Uint8Array(BLOCK)
    return readSession(storage, session, blocks[worker])
  })
}

async function readSession(
  storage: SessionStorage,
  { key, id, stat: before, cached }: FoundSession,
  block: Uint8Array,
): Promise<ScannedSession | undefined> {
  const name = id === undefined ? { key } : { key, id }
  let stat: StorageStat | undefined = before
  let former: SessionSummary | undefined = summaryIn(cached)
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
