import { givenName } from "../entry/entry.js"
import { isTreelogError } from "../errors.js"
import type { IndexUpdateOptions, IndexUpdateReport } from "../ports/session-index.js"
import type { FoundSession, SessionSource, StorageStat } from "../ports/session-source.js"
import { findSessions } from "../session/listing/scan-sessions.js"
import { type ErrorInfo, errorInfo, isNoSession } from "../session/listing/session-info.js"
import { atOnce, statToRead } from "../session/reader/read-stored.js"
import { FROM_START, isUnchanged, readFrom, type SessionToRead } from "../session/reader/resume-reading.js"
import { type PlacedFacts, usageFacts } from "./entry-facts.js"
import type { IndexSource } from "./index-source.js"
import {
  faultOf,
  foundText,
  type IndexChange,
  type IndexedState,
  type IndexTables,
  isLeftAlone,
  isSameStat,
  usageText,
} from "./index-tables.js"
import { factsInPart, SessionFactsReader, sessionHead } from "./session-facts.js"
import { wholeFacts } from "./whole-texts.js"

/** Bytes. */
const BLOCK = 512 * 1024
/** So much text of a session is held before it is stored. UTF-16 units. */
const HELD = 4 * 1024 * 1024
/** How often a session is read again that was replaced or cut while it was read. */
const ATTEMPTS = 3
/** So long an update runs before others have a turn: storages and tables may answer without waiting for anything. Milliseconds. */
const TURN = 50
/** Of facts that were not read at a place. */
const NOWHERE = { offset: 0, length: 0, digest: 0 }
/** How soon what was read can be found for the first time, and how often while the update runs. Milliseconds. */
const [FIRST_FLUSH, FLUSH_EVERY] = [100, 500]

/** A session with its state. */
type Found = FoundSession & { readonly stat: StorageStat }

interface UpdateOptions extends IndexUpdateOptions {
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number
}

/** A session that is to be read, or to be looked at. */
interface Left {
  readonly update: SourceUpdate
  readonly session: FoundSession
}

/**
 * Brings an index up to date: reads what is new, the newest sessions of all sources first, and removes what is gone. Two may update the same
 * tables at a time; each change says what it is based on.
 * @throws the reason of `signal` when it aborts; StorageError when the only source cannot be listed at all
 */
export async function updateIndex(
  sources: readonly IndexSource[],
  tables: IndexTables,
  options: UpdateOptions = {},
): Promise<IndexUpdateReport> {
  const { signal, onProgress = () => {}, onUnreadableSource, only, now = Date.now } = options
  const work = new UpdateWork(tables, signal, now, only === "usage")
  const updates: SourceUpdate[] = []
  const left: Left[] = []
  const started = sources.map((source) => new SourceUpdate(source, work))
  const found = await Promise.allSettled(started.map((update) => update.find()))
  for (const [at, update] of started.entries()) {
    const sessions = found[at] as PromiseSettledResult<readonly FoundSession[]>
    if (sessions.status === "fulfilled") {
      updates.push(update)
      for (const session of sessions.value) left.push({ update, session })
    } else {
      const { reason } = sessions
      signal?.throwIfAborted()
      if (!onUnreadableSource || sources.length === 1 || !isTreelogError(reason, "StorageError")) throw reason
      onUnreadableSource(sources[at]?.name ?? "", reason)
    }
  }
  const total = work.total
  let done = total - left.length
  const flushes = new Flushes(tables, now)
  for (const { update, session } of left.sort((a, b) => newestFirst(a.session, b.session))) {
    signal?.throwIfAborted()
    await update.session(session)
    // Sums are asked for when all sessions are read, so that some of them need not be stored before.
    if (!work.isUsageAlone) flushes.after(modifiedOf(session))
    onProgress({ done: ++done, total, bytes: work.bytes, upToDateAfter: flushes.upToDateAfter })
  }
  for (const update of updates) await update.removeGone()
  await tables.flush?.()
  const { bytes, read, removed, failed, foreign } = work
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
    const stat = await statToRead(storage, session.key)
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

/** What an update does and has done, in all sources. */
class UpdateWork {
  readonly tables: IndexTables
  readonly signal: AbortSignal | undefined
  readonly now: () => number
  /** Whether nothing but usage is wanted. */
  readonly isUsageAlone: boolean
  readonly block = new Uint8Array(BLOCK)
  /** Whether the tables failed, which ends the update: it is no fault of the session. */
  haveTablesFailed = false
  readonly failed: { key: string; code: string; message: string }[] = []
  readonly foreign: string[] = []
  total = 0
  bytes = 0
  read = 0
  removed = 0
  /** When others had a turn last. Milliseconds since 1970. */
  #turn = 0

  constructor(tables: IndexTables, signal: AbortSignal | undefined, now: () => number, isUsageAlone: boolean) {
    this.tables = tables
    this.signal = signal
    this.now = now
    this.isUsageAlone = isUsageAlone
  }

  fail(key: string, error: ErrorInfo): void {
    if (isNoSession(error)) this.foreign.push(key)
    else this.failed.push({ key, code: error.code, message: error.message })
  }

  async put(change: IndexChange): Promise<boolean> {
    try {
      return await this.tables.put(change)
    } catch (error) {
      this.haveTablesFailed = true
      throw error
    }
  }

  /** Lets timers, signals and searches have their turn. */
  async giveWay(): Promise<void> {
    if (this.now() - this.#turn < TURN) return
    await new Promise<void>((resolve) => setTimeout(resolve, 0))
    this.#turn = this.now()
    this.signal?.throwIfAborted()
  }
}

/** The update of what an index has of one source. */
class SourceUpdate {
  readonly #source: IndexSource
  readonly #work: UpdateWork
  /** The names of the parts of sessions, by the keys of these. */
  readonly #parts = new Map<string, Set<string>>()
  /** What the index has and was not found yet. */
  #known = new Map<string, string>()
  /** The keys of sessions that were found, by their ids. */
  readonly #found = new Map<string, string[]>()

  constructor(source: IndexSource, work: UpdateWork) {
    this.#source = source
    this.#work = work
  }

  /** The sessions that have to be read, or to be looked at. */
  async find(): Promise<readonly FoundSession[]> {
    const { tables, signal } = this.#work
    this.#known = await tables.settledStats(this.#source.name ?? "")
    const left: FoundSession[] = []
    let total = 0
    for await (const sessions of storedSessions(this.#source.storage, signal))
      for (const session of sessions) {
        const { key, part, error } = session
        if (part) this.#parts.set(part.of, (this.#parts.get(part.of) ?? new Set()).add(part.name))
        if (error) {
          this.#work.fail(key, errorInfo(error, "StorageError"))
          continue
        }
        total += 1
        const { id } = session
        if (id !== undefined && this.#found.get(id)?.push(key) === undefined) this.#found.set(id, [key])
        // Most sessions: an update of thousands takes half the time where none of these is kept, sorted or waits for a promise.
        if (this.#isSettled(session)) this.#known.delete(key)
        else left.push(session)
      }
    this.#work.total += total
    return left
  }

  #isSettled({ key, stat, part, source }: FoundSession): boolean {
    const settled = this.#known.get(key)
    if (stat !== undefined && settled === foundText(stat, part)) return true
    return this.#work.isUsageAlone && source !== undefined && settled === usageText(source, part)
  }

  /** Reads what is new of a session. */
  async session(found: FoundSession): Promise<void> {
    await this.#work.giveWay()
    if (await this.#isStored(found)) this.#known.delete(found.key)
  }

  async removeGone(): Promise<void> {
    for (const key of this.#known.keys()) await this.#removeIfGone(key)
  }

  async #isStored(found: FoundSession): Promise<boolean> {
    const { key } = found
    let { stat } = found
    let known = this.#known.has(key) ? await this.#state(key) : undefined
    for (let attempt = 1; ; attempt++) {
      try {
        if (await this.#isUsageStored(found, known)) return true
        stat ??= await statToRead(this.#source.storage, key)
        if (!stat) return false
        await this.#index({ key, id: found.id, part: found.part, stat }, known)
        return true
      } catch (error) {
        this.#work.signal?.throwIfAborted()
        if (this.#work.haveTablesFailed) throw error
        if (!isTreelogError(error, "SessionChangedError") || attempt === ATTEMPTS) {
          this.#work.fail(key, errorInfo(error, "InternalError"))
          return true
        }
        stat = undefined
        known = await this.#state(key)
      }
    }
  }

  /** Stores what a session used, where nothing else is wanted, and nothing else is known of it. */
  async #isUsageStored(found: FoundSession, former: IndexedState | undefined): Promise<boolean> {
    const { key } = found
    const { storage } = this.#source
    if (!this.#work.isUsageAlone || (former && !former.isUsageAlone)) return false
    const usage = await storage.usage?.(key)
    if (!usage) return false
    const { source: stat, header, entries } = usage
    const names = entries.map(givenName).filter((name) => name !== undefined)
    const head = sessionHead(header, found, this.#source, names.at(-1))
    const parts = this.#parts.get(key)
    const used = entries.flatMap((entry) => usageFacts(entry, parts) ?? [])
    const facts = used.map((one) => ({ ...factsInPart(one, found.part), ...NOWHERE }))
    const state: IndexedState = {
      session: { key, ...head },
      stat,
      mark: FROM_START,
      nameAtMark: head.name,
      isWhole: false,
      isSettled: isLeftAlone(stat, this.#work.now()),
      isUsageAlone: true,
    }
    this.#work.read += 1
    this.#work.bytes += stat.size
    await this.#work.put({ former, state, facts, from: 0 })
    return true
  }

  async #removeIfGone(key: string): Promise<void> {
    const [found] = await Promise.allSettled([this.#source.storage.stat(key)])
    if (found.status === "rejected") this.#work.fail(key, errorInfo(found.reason, "InternalError"))
    if (found.status === "rejected") return
    const state = await this.#state(key)
    if (found.value && !(await this.#isMoved(state, found.value))) return
    if (state && (await this.#work.tables.remove(state))) this.#work.removed += 1
  }

  /** Whether a key leads to a session that was found under another, as that of a file leads to where its program has moved it. */
  async #isMoved(state: IndexedState | undefined, { identity }: StorageStat): Promise<boolean> {
    for (const key of this.#found.get(state?.session.id ?? "") ?? []) {
      const [other] = await Promise.allSettled([this.#source.storage.stat(key)])
      if (other.status === "fulfilled" && other.value?.identity === identity) return true
    }
    return false
  }

  #state(key: string): Promise<IndexedState | undefined> | IndexedState | undefined {
    return this.#work.tables.state({ key, ...namedSource(this.#source) })
  }

  #whole(key: string, facts: PlacedFacts): PlacedFacts | Promise<PlacedFacts> {
    return "cut" in facts ? wholeFacts(facts, async () => this.#source.blobs?.(key)) : facts
  }

  async #index(found: Found, former: IndexedState | undefined): Promise<void> {
    const { key, stat } = found
    if (isUpToDate(former, found)) {
      const fault = former && faultOf(former)
      if (fault) this.#work.fail(key, fault)
      return
    }
    const isSame = former !== undefined && isSameStat(former.stat, stat)
    // One call for each open, read and close of many small files, as for lists.
    const { storage } = this.#source
    const ranges = await storage.openRanges?.(key, stat.identity)
    try {
      const read = { storage: ranges ? atOnce(ranges) : storage, key, stat, block: this.#work.block }
      await this.#readSession(read, found, former, isSame)
    } finally {
      ranges?.close()
    }
  }

  async #readSession(
    read: SessionToRead,
    found: Found,
    former: IndexedState | undefined,
    isSame: boolean,
  ): Promise<void> {
    const { key, stat, part } = found
    const isGrown = former?.stat.identity === stat.identity && (isSame || former.stat.size < stat.size)
    const mayResume = isGrown && isSamePart(former, part)
    const resumed = mayResume && (await isUnchanged(read, former.mark)) ? former : undefined
    const reader = new SessionFactsReader(found, this.#source, this.#parts.get(key), resumed)
    let mark = resumed?.mark ?? FROM_START
    let change = { former, from: mark.size, facts: [] as PlacedFacts[] }
    let nameAtMark = resumed?.nameAtMark
    let held = 0
    for await (const next of readFrom(read, mark, reader)) {
      this.#work.signal?.throwIfAborted()
      await this.#work.giveWay()
      if (next.size > mark.size) nameAtMark = reader.nameAtEnd
      mark = next
      for (const facts of reader.take(mark.size)) {
        change.facts.push(await this.#whole(key, facts))
        held += facts.length
      }
      if (held < HELD) continue
      const state = stateOf(reader, found, this.#source, { mark, nameAtMark, isWhole: false, isSettled: false })
      if (!(await this.#work.put({ ...change, state }))) return
      change = { former: state, from: mark.size, facts: [] }
      held = 0
    }
    const bytes = stat.size - (resumed?.mark.size ?? 0)
    if (bytes > 0) this.#work.read += 1
    this.#work.bytes += bytes
    for (const facts of reader.finish()) change.facts.push(await this.#whole(key, facts))
    const isSettled = isLeftAlone(stat, this.#work.now())
    const state = stateOf(reader, found, this.#source, { mark, nameAtMark, isWhole: true, isSettled })
    const fault = faultOf(state)
    if ((await this.#work.put({ ...change, state })) && fault) this.#work.fail(key, fault)
  }
}

function stateOf(
  { session, error, isOld, isCounted }: SessionFactsReader,
  { key, id = "", stat, part }: Found,
  source: IndexSource,
  { nameAtMark, ...at }: Pick<IndexedState, "mark" | "isWhole" | "isSettled"> & { nameAtMark: string | undefined },
): IndexedState {
  const head = session ?? { ...namedSource(source), id, cwd: "", name: "", created: 0, ...(part && { part }) }
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

function namedSource({ name = "" }: IndexSource): { readonly source?: string } {
  return name === "" ? {} : { source: name }
}
