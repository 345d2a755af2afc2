import { isTreelogError } from "../errors.js"
import type { IndexUpdateOptions, IndexUpdateReport } from "../ports/session-index.js"
import type { FoundSession, SessionSource, StorageStat } from "../ports/session-source.js"
import { findSessions } from "../session/listing/scan-sessions.js"
import { type ErrorInfo, errorInfo, isNoSession } from "../session/listing/session-info.js"
import { atOnce } from "../session/reader/read-stored.js"
import { FROM_START, isUnchanged, readFrom, type SessionToRead } from "../session/reader/resume-reading.js"
import type { PlacedFacts } from "./entry-facts.js"
import {
  faultOf,
  foundText,
  type IndexChange,
  type IndexedState,
  type IndexTables,
  isLeftAlone,
  isSameStat,
} from "./index-tables.js"
import { SessionFactsReader } from "./session-facts.js"
import { type BlobsOf, wholeFacts } from "./whole-texts.js"

/** Bytes. */
const BLOCK = 512 * 1024
/** So much text of a session is held before it is stored. UTF-16 units. */
const HELD = 4 * 1024 * 1024
/** How often a session is read again that was replaced or cut while it was read. */
const ATTEMPTS = 3
/** So long an update runs before others have a turn: storages and tables may answer without waiting for anything. Milliseconds. */
const TURN = 50
/** How soon what was read can be found for the first time, and how often while the update runs. Milliseconds. */
const [FIRST_FLUSH, FLUSH_EVERY] = [100, 500]

/** A session with its state. */
type Found = FoundSession & { readonly stat: StorageStat }

interface UpdateOptions extends IndexUpdateOptions {
  /** The blobs of the sessions, for texts that were moved there. */
  readonly blobs?: BlobsOf | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
}

/**
 * Brings an index up to date: reads what is new, the newest sessions first, and removes what is gone. Two may update the same tables
 * at a time; each change says what it is based on.
 * @throws the reason of `signal` when it aborts; StorageError when the storage cannot be listed at all
 */
export async function updateIndex(
  storage: SessionSource,
  tables: IndexTables,
  options: UpdateOptions = {},
): Promise<IndexUpdateReport> {
  const { signal, onProgress = () => {}, now = Date.now } = options
  const update = new IndexUpdate(storage, tables, options)
  const known = await tables.settledStats()
  let total = 0
  const left: FoundSession[] = []
  const parts = new Map<string, Set<string>>()
  for await (const sessions of storedSessions(storage, signal))
    for (const session of sessions) {
      const { key, stat, part, error } = session
      if (part) parts.set(part.of, (parts.get(part.of) ?? new Set()).add(part.name))
      if (error) {
        update.fail(key, errorInfo(error, "StorageError"))
        continue
      }
      total += 1
      // Most sessions: none of these is kept, sorted or waits for a promise.
      if (stat !== undefined && known.get(key) === foundText(stat, part)) known.delete(key)
      else left.push(session)
    }
  update.parts = parts
  let done = total - left.length
  const flushes = new Flushes(tables, now)
  for (const session of left.sort(newestFirst)) {
    signal?.throwIfAborted()
    const former = known.has(session.key) ? await tables.state(session.key) : undefined
    if (await update.session(session, former)) known.delete(session.key)
    flushes.after(modifiedOf(session))
    onProgress({ done: ++done, total, bytes: update.bytes, upToDateAfter: flushes.upToDateAfter })
  }
  for (const key of known.keys()) await update.removeIfGone(key)
  await tables.flush?.()
  const { bytes, read, removed, failed, foreign } = update
  onProgress({ done, total, bytes, upToDateAfter: 0 })
  return { done, total, bytes, upToDateAfter: 0, read, removed, failed, foreign }
}

/** Lets be found what was read, now and then, while reading goes on. */
class Flushes {
  readonly #tables: IndexTables
  readonly #now: () => number
  #at: number
  #every = FIRST_FLUSH
  #isRunning = false
  upToDateAfter = Number.MAX_SAFE_INTEGER

  constructor(tables: IndexTables, now: () => number) {
    this.#tables = tables
    this.#now = now
    this.#at = now()
  }

  /** @param modified of the session that was put last, and of which all newer ones were put before */
  after(modified: number): void {
    if (this.#isRunning || this.#now() - this.#at < this.#every) return
    this.#isRunning = true
    void this.#flush(modified)
  }

  /** Its failure is that of the next flush or change, too. */
  async #flush(modified: number): Promise<void> {
    const [flushed] = await Promise.allSettled([this.#tables.flush?.()])
    if (flushed.status === "fulfilled") this.upToDateAfter = modified
    this.#every = Math.min(2 * this.#every, FLUSH_EVERY)
    this.#at = this.#now()
    this.#isRunning = false
  }
}

/** All sessions, with their states or their summaries, which say how new they are; those that cannot be read with their errors. */
async function* storedSessions(
  storage: SessionSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly FoundSession[]> {
  for await (const batch of findSessions(storage, { signal, parts: true, makesSummaries: false }))
    if (batch.every(isTimed)) yield batch
    else for (const session of batch) yield await withStat(storage, session)
}

/** Whether nothing more is needed to put it in its place. */
function isTimed(found: FoundSession): boolean {
  return Boolean(found.cached?.isCurrent || found.modified !== undefined || found.stat || found.error)
}

async function withStat(storage: SessionSource, session: FoundSession): Promise<FoundSession[]> {
  if (isTimed(session)) return [session]
  try {
    const stat = await storage.stat(session.key)
    return stat ? [{ ...session, stat }] : []
  } catch (error) {
    if (!isTreelogError(error)) throw error
    return [{ ...session, error }]
  }
}

function newestFirst(a: FoundSession, b: FoundSession): number {
  return modifiedOf(b) - modifiedOf(a) || (a.key < b.key ? -1 : 1)
}

/** Of what the storage found without its state, the summary says when it was written. */
function modifiedOf({ stat, modified, cached }: FoundSession): number {
  return stat?.modified ?? modified ?? cached?.state.modified ?? 0
}

function isUpToDate(state: IndexedState | undefined, { stat, part }: Found): boolean {
  return state?.isWhole === true && state.isSettled && isSameStat(state.stat, stat) && isSamePart(state, part)
}

/** Whether a transcript is a part of the same session as before, or still none. */
function isSamePart({ session }: IndexedState, part: FoundSession["part"]): boolean {
  return session.part?.of === part?.of
}

class IndexUpdate {
  readonly #storage: SessionSource
  readonly #tables: IndexTables
  readonly #signal: AbortSignal | undefined
  readonly #blobs: BlobsOf | undefined
  readonly #now: () => number
  readonly #block = new Uint8Array(BLOCK)
  /** Whether the tables failed, which ends the update: it is no fault of the session. */
  #haveTablesFailed = false
  /** When others had a turn last. Milliseconds since 1970. */
  #turn = 0
  readonly failed: { key: string; code: string; message: string }[] = []
  readonly foreign: string[] = []
  /** The names of the parts of sessions, by the keys of these. */
  parts: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  bytes = 0
  read = 0
  removed = 0

  constructor(storage: SessionSource, tables: IndexTables, { signal, blobs, now = Date.now }: UpdateOptions) {
    this.#blobs = blobs
    this.#storage = storage
    this.#tables = tables
    this.#signal = signal
    this.#now = now
  }

  /** @returns that it is stored all the same */
  fail(key: string, error: ErrorInfo): true {
    if (isNoSession(error)) this.foreign.push(key)
    else this.failed.push({ key, code: error.code, message: error.message })
    return true
  }

  /** A session that did not change is not read. */
  skip(known: IndexedState | undefined): void {
    const fault = known && faultOf(known)
    if (fault) this.fail(known.session.key, fault)
  }

  /** Lets timers, signals and searches have their turn. */
  async #giveWay(): Promise<void> {
    if (this.#now() - this.#turn < TURN) return
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    this.#turn = this.#now()
    this.#signal?.throwIfAborted()
  }

  /** Whether the session is still stored. */
  async session(found: FoundSession, former: IndexedState | undefined): Promise<boolean> {
    await this.#giveWay()
    let { stat } = found
    let known = former
    for (let attempt = 1; ; attempt++) {
      try {
        stat ??= await this.#storage.stat(found.key)
        if (!stat) return false
        await this.#index({ key: found.key, id: found.id, part: found.part, stat }, known)
        return true
      } catch (error) {
        this.#signal?.throwIfAborted()
        if (this.#haveTablesFailed) throw error
        if (!isTreelogError(error, "SessionChangedError") || attempt === ATTEMPTS)
          return this.fail(found.key, errorInfo(error, "InternalError"))
        stat = undefined
        known = await this.#tables.state(found.key)
      }
    }
  }

  async removeIfGone(key: string): Promise<void> {
    const [found] = await Promise.allSettled([this.#storage.stat(key)])
    if (found.status === "rejected") this.fail(key, errorInfo(found.reason, "InternalError"))
    if (found.status === "rejected" || found.value) return
    const state = await this.#tables.state(key)
    if (state && (await this.#tables.remove(state))) this.removed += 1
  }

  async #put(change: IndexChange): Promise<boolean> {
    try {
      return await this.#tables.put(change)
    } catch (error) {
      this.#haveTablesFailed = true
      throw error
    }
  }

  #whole(key: string, facts: PlacedFacts): PlacedFacts | Promise<PlacedFacts> {
    return "cut" in facts ? wholeFacts(facts, async () => this.#blobs?.(key)) : facts
  }

  async #index(found: Found, former: IndexedState | undefined): Promise<void> {
    const { key, stat } = found
    if (isUpToDate(former, found)) return this.skip(former)
    const isSame = former !== undefined && isSameStat(former.stat, stat)
    // One call for each open, read and close of many small files, as for lists.
    const ranges = await this.#storage.openRanges?.(key, stat.identity)
    try {
      const source = { storage: ranges ? atOnce(ranges) : this.#storage, key, stat, block: this.#block }
      await this.#readSession(source, found, former, isSame)
    } finally {
      ranges?.close()
    }
  }

  async #readSession(
    source: SessionToRead,
    found: Found,
    former: IndexedState | undefined,
    isSame: boolean,
  ): Promise<void> {
    const { key, stat, part } = found
    const isGrown = former?.stat.identity === stat.identity && (isSame || former.stat.size < stat.size)
    const mayResume = isGrown && isSamePart(former, part)
    const resumed = mayResume && (await isUnchanged(source, former.mark)) ? former : undefined
    const reader = new SessionFactsReader(found, this.parts.get(key), resumed)
    let mark = resumed?.mark ?? FROM_START
    let change = { former, from: mark.size, facts: [] as PlacedFacts[] }
    let nameAtMark = resumed?.nameAtMark
    let held = 0
    for await (const next of readFrom(source, mark, reader)) {
      this.#signal?.throwIfAborted()
      await this.#giveWay()
      if (next.size > mark.size) nameAtMark = reader.nameAtEnd
      mark = next
      for (const facts of reader.take(mark.size)) {
        change.facts.push(await this.#whole(key, facts))
        held += facts.length
      }
      if (held < HELD) continue
      const state = stateOf(reader, found, { mark, nameAtMark, isWhole: false, isSettled: false })
      if (!(await this.#put({ ...change, state }))) return
      change = { former: state, from: mark.size, facts: [] }
      held = 0
    }
    const bytes = stat.size - (resumed?.mark.size ?? 0)
    if (bytes > 0) this.read += 1
    this.bytes += bytes
    for (const facts of reader.finish()) change.facts.push(await this.#whole(key, facts))
    const isSettled = isLeftAlone(stat, this.#now())
    const state = stateOf(reader, found, { mark, nameAtMark, isWhole: true, isSettled })
    const fault = faultOf(state)
    if ((await this.#put({ ...change, state })) && fault) this.fail(key, fault)
  }
}

function stateOf(
  { session, error, isOld, isCounted }: SessionFactsReader,
  { key, id = "", stat, part }: Found,
  { nameAtMark, ...at }: Pick<IndexedState, "mark" | "isWhole" | "isSettled"> & { nameAtMark: string | undefined },
): IndexedState {
  const head = session ?? { id, cwd: "", name: "", created: 0, ...(part && { part }) }
  return {
    session: { key, ...head },
    stat,
    ...at,
    nameAtMark: nameAtMark ?? head.name,
    // What was migrated as a whole cannot be read on from a place within.
    mark: isOld || isCounted || error ? FROM_START : at.mark,
    ...(error && { error: { code: error.code, message: error.message, data: error.data } }),
  }
}
