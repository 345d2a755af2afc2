import { LogReader } from "../../log/session-log.js"
import type { SessionStorage } from "../../ports/session-storage.js"
import type { FoundSession } from "../../ports/summary-cache.js"
import { HEAD, storedLines } from "../reader/read-stored.js"
import { Background } from "./background.js"
import { findSessions } from "./find-sessions.js"
import { byTime } from "./newest-first.js"
import { newestInTail } from "./newest-in-tail.js"
import { knownAlready, READ, readsOf } from "./scan-sessions.js"
import type { ScannedSession } from "./scanned-session.js"
import type { SessionInfo } from "./session-info.js"

// Why not all has to be read. Of a session that a cache knows, the time is known. Of any other, the end is read: messages are
// appended as they come, so nothing in front of the last ones is newer than these by more than clocks can be wrong. That gives
// each session a time that it is not newer than; read whole are those that may be among the newest by it, the most promising
// first. When one turns out to be newer than that, clocks were wrong in this store, and all are read.

/** How much newer than the last messages of its session one before them may be. Milliseconds. */
const CLOCKS_MAY_DIFFER = 24 * 60 * 60 * 1000

/** So many are read without a look at what they said, when many have to be. */
const MOST_AT_ONCE = 64

/** A session that was not read, and the time that it is surely not newer than. */
interface Unread {
  readonly found: FoundSession
  readonly notAfter: number
}

/**
 * The newest sessions, newest first, without those that cannot be read.
 * @param cwd undefined means everywhere
 */
export async function recentSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  limit: number,
): Promise<SessionInfo[]> {
  if (limit < 1) return []
  const newest = new Newest(cwd, limit)
  try {
    const unread = await findUnread(storage, cwd, newest)
    await readPromising(storage, unread, cwd, limit, newest)
    return newest.infos
  } finally {
    await storage.summaries?.flush()
  }
}

/** The newest of those that were looked at. */
class Newest {
  readonly #cwd: string | undefined
  readonly #limit: number
  #sessions: ScannedSession[] = []

  constructor(cwd: string | undefined, limit: number) {
    this.#cwd = cwd
    this.#limit = limit
  }

  get infos(): SessionInfo[] {
    return this.#sessions.map(({ info }) => info)
  }

  add(sessions: readonly ScannedSession[]): void {
    const fitting = sessions.filter((session) => !session.isBroken && session.isOf(this.#cwd))
    this.#sessions = [...this.#sessions, ...fitting].sort(byTime).slice(0, this.#limit)
  }

  /** Whether there are enough that are newer. */
  excludes(notAfter: number): boolean {
    const last = this.#sessions[this.#limit - 1]
    return last !== undefined && last.modified > notAfter
  }
}

async function findUnread(storage: SessionStorage, cwd: string | undefined, newest: Newest): Promise<Unread[]> {
  const looks = new Background(READ, async (found: FoundSession): Promise<Unread> => {
    return { found, notAfter: await notAfter(storage, found) }
  })
  const unread: Unread[] = []
  try {
    for await (const found of findSessions(storage, { cwd })) {
      const known: ScannedSession[] = []
      for (const session of found) {
        const looked = knownAlready(session)
        if (looked) known.push(looked)
        else looks.add(session)
      }
      newest.add(known)
      unread.push(...looks.take())
    }
    while (looks.pending > 0) unread.push(...(await looks.next()))
    return unread.sort((a, b) => b.notAfter - a.notAfter)
  } finally {
    await looks.stop()
  }
}

/** Of one that has grown, little has to be read. */
async function notAfter(storage: SessionStorage, { key, stat, cached }: FoundSession): Promise<number> {
  try {
    const time = stat && !cached ? await newestInTail(storage, key, stat) : undefined
    return time === undefined ? Number.POSITIVE_INFINITY : time + CLOCKS_MAY_DIFFER
  } catch {
    // Whatever went wrong: what reads all of the session, which is next, reports it as that session's error.
    return Number.POSITIVE_INFINITY
  }
}

async function readPromising(
  storage: SessionStorage,
  unread: readonly Unread[],
  cwd: string | undefined,
  limit: number,
  newest: Newest,
): Promise<void> {
  const reads = readsOf(storage)
  let areClocksRight = true
  // Few are read when few are enough; when it takes many, they are read as fast as for a list.
  let atOnce = Math.min(READ, limit)
  for (let at = 0; at < unread.length; ) {
    const promising = unread
      .slice(at, at + atOnce)
      .filter(({ notAfter }) => !areClocksRight || !newest.excludes(notAfter))
    if (promising.length === 0) return
    const times = new Map(promising.map(({ found, notAfter }) => [found.key, notAfter]))
    for (const { found } of promising) if (!(await isOfOther(storage, found, cwd))) reads.add(found)
    while (reads.pending > 0) {
      const sessions = (await reads.next()).filter((session) => session !== undefined)
      newest.add(sessions)
      if (sessions.some(({ key, modified }) => modified > (times.get(key) ?? 0))) areClocksRight = false
    }
    at += atOnce
    atOnce = Math.min(MOST_AT_ONCE, 2 * atOnce)
  }
}

/** Whether the header names another folder: then the rest need not be read. */
async function isOfOther(
  storage: SessionStorage,
  { key, stat }: FoundSession,
  cwd: string | undefined,
): Promise<boolean> {
  if (cwd === undefined || !stat || stat.size <= HEAD) return false
  try {
    const reader = new LogReader(key)
    for await (const line of storedLines(storage, key, stat, HEAD)) {
      reader.push(line)
      if (reader.header) return reader.header.cwd !== cwd
    }
    return false
  } catch {
    // As above: it is read as a whole.
    return false
  }
}
