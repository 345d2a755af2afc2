import { fitsModel } from "../entry/filters.js"
import { foldText } from "../entry/fold-text.js"
import { TreelogError } from "../errors.js"
import type {
  EntryName,
  FileQuery,
  FileUse,
  HitPart,
  IndexedSession,
  IndexFilter,
  IndexUpdateOptions,
  IndexUpdateReport,
  SearchQuery,
  SearchResult,
  SessionIndex,
  UsageQuery,
  UsageRow,
} from "../ports/session-index.js"
import type { SessionSource } from "../ports/session-source.js"
import { isBefore } from "./copy-order.js"
import type { PlacedFacts } from "./entry-facts.js"
import { filesThatFit, fitsSession, fitsText, fitsTime, requireLimit, requirePath } from "./index-filter.js"
import { type IndexChange, type IndexedState, type IndexTables, isSameState, settledStat } from "./index-tables.js"
import { type FoldedTerm, foldTerms, matchesAll } from "./match-text.js"
import { hitPartOf, ownerKey } from "./part-of-session.js"
import { byRelevance, type FoundText, firstOfEach, newestFirst } from "./rank-hits.js"
import { groupedHits } from "./snippet.js"
import { UsageRows, usageKey } from "./sums.js"
import { updateIndex } from "./update-index.js"
import type { BlobsOf } from "./whole-texts.js"

/** An entry of a session that fits a query. */
interface Found {
  readonly session: IndexedSession
  /** The part of the session that has it. */
  readonly part: HitPart | undefined
  readonly facts: PlacedFacts
}

/**
 * A `SessionIndex` in memory, for tests, pages and small stores. It holds all texts, and goes through all of them for each answer.
 */
export class MemorySessionIndex implements SessionIndex {
  readonly #storage: SessionSource
  readonly #blobs: BlobsOf | undefined
  readonly #agent: string
  readonly #tables = new MemoryIndexTables()
  #isClosed = false

  /** @param options `blobs`: of the sessions, for texts that were moved there; `agent`: of sessions whose headers name none */
  constructor(
    storage: SessionSource,
    { blobs, agent = "" }: { readonly blobs?: BlobsOf | undefined; readonly agent?: string | undefined } = {},
  ) {
    this.#storage = storage
    this.#blobs = blobs
    this.#agent = agent
  }

  async update(options?: IndexUpdateOptions): Promise<IndexUpdateReport> {
    this.#assertOpen()
    return updateIndex(this.#storage, this.#tables, { ...options, blobs: this.#blobs })
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    this.#assertOpen()
    const limit = requireLimit(query.limit)
    const terms = foldTerms(query.terms)
    const all = [...this.#texts(query, terms)].sort(newestFirst)
    const found = query.distinct === "session" ? firstOfEach(all) : all
    const ranked = query.sort === "relevance" ? byRelevance(found, terms) : found
    return { sessions: groupedHits(ranked.slice(0, limit), terms, query.snippet), isMore: ranked.length > limit }
  }

  async usage(query: UsageQuery): Promise<UsageRow[]> {
    this.#assertOpen()
    const { by = "total", except = [] } = query
    const excepted = new Set(except.map(nameOf))
    const rows = new UsageRows(query)
    for (const { session, facts } of this.#entries(query)) {
      if (excepted.has(nameOf(facts))) continue
      for (const usage of facts.usages) {
        if (!fitsModel(query, usage.model)) continue
        const key = usageKey(by, facts.time, usage, session, this.#agent)
        rows.add(key, usage, session)
      }
    }
    return rows.sorted()
  }

  async usageQuarters(filter: IndexFilter): Promise<number[]> {
    return [...new Set(this.#used(filter).map(({ time }) => quarterOf(time)))]
  }

  async usageTimes(filter: IndexFilter, quarters?: readonly number[]): Promise<number[]> {
    const wanted = quarters && new Set(quarters)
    const times = this.#used(filter).map(({ time }) => time)
    return [...new Set(wanted ? times.filter((time) => wanted.has(quarterOf(time))) : times)]
  }

  async usageEntries(filter: IndexFilter, times: readonly number[]): Promise<EntryName[]> {
    const wanted = new Set(times)
    return this.#used(filter).filter(({ time }) => wanted.has(time))
  }

  async files(query: FileQuery): Promise<FileUse[]> {
    this.#assertOpen()
    const limit = requireLimit(query.limit)
    requirePath(query.path)
    const uses = [...this.#entries(query)].flatMap(({ session, part, facts }) =>
      filesThatFit(facts, query).map(
        (file): FileUse => ({ session, entryId: facts.id, time: facts.time, ...file, ...(part && { part }) }),
      ),
    )
    return uses.sort((a, b) => b.time - a.time).slice(0, limit)
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  #used(filter: IndexFilter): EntryName[] {
    this.#assertOpen()
    return [...this.#entries(filter)]
      .filter(({ facts }) => facts.usages.some(({ model }) => fitsModel(filter, model)))
      .map(({ facts: { id, time, content } }) => ({ id, time, content }))
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new TreelogError("IndexUnavailableError", "The index is closed.", { reason: "closed" })
  }

  *#texts(query: SearchQuery, terms: readonly FoldedTerm[]): Generator<FoundText> {
    const label = query.label === undefined ? "" : foldText(query.label)
    for (const { session, part, facts } of this.#entries(query, query.distinct === "session"))
      for (const text of facts.texts) {
        if (!fitsText(query, text)) continue
        const folded = foldText(text.text)
        if (folded.includes(label) && matchesAll(terms, folded, text.role)) yield { session, part, facts, text, folded }
      }
  }

  /** The entries of the sessions that fit, each once unless copies are wanted: a copy of an entry has its id, its timestamp and its content. */
  *#entries(filter: IndexFilter, withCopies = false): Generator<Found> {
    const seen = new Set<string>()
    const sessions = this.#tables.oldestFirst()
    const touching = new Set(
      sessions.filter(({ facts }) => touches(facts, filter.file)).map(({ state }) => ownerKey(state.session)),
    )
    for (const { state, facts: all } of sessions) {
      const part = hitPartOf(state.session)
      const session = this.#tables.state(ownerKey(state.session))?.session ?? state.session
      if (!fitsSession(filter, session, this.#agent) || !touching.has(ownerKey(state.session))) continue
      for (const facts of all) {
        const identity = JSON.stringify([facts.id, facts.timestamp, facts.content])
        if (seen.has(identity) && !withCopies) continue
        seen.add(identity)
        if (fitsTime(filter, facts.time)) yield { session, part, facts }
      }
    }
  }
}

function nameOf({ id, time, content }: EntryName): string {
  return `${time} ${content} ${id}`
}

function touches(all: readonly PlacedFacts[], path: IndexFilter["file"]): boolean {
  return path === undefined || all.some((facts) => filesThatFit(facts, { path }).length > 0)
}

interface KeptSession {
  readonly state: IndexedState
  readonly facts: readonly PlacedFacts[]
}

class MemoryIndexTables implements IndexTables {
  readonly #sessions = new Map<string, KeptSession>()

  oldestFirst(): KeptSession[] {
    return [...this.#sessions.values()].sort(({ state: { session: a } }, { state: { session: b } }) =>
      isBefore(a, b) ? -1 : 1,
    )
  }

  settledStats(): Map<string, string> {
    return new Map([...this.#sessions].map(([key, { state }]) => [key, settledStat(state)]))
  }

  state(key: string): IndexedState | undefined {
    return this.#sessions.get(key)?.state
  }

  put({ former, state, facts, from }: IndexChange): boolean {
    const { key } = state.session
    const kept = this.#sessions.get(key)
    if (!isSameState(kept?.state, former)) return false
    const before = (kept?.facts ?? []).filter(({ offset }) => offset < from)
    this.#sessions.set(key, { state, facts: [...before, ...facts] })
    return true
  }

  remove(former: IndexedState): boolean {
    const { key } = former.session
    return isSameState(this.#sessions.get(key)?.state, former) && this.#sessions.delete(key)
  }
}

function quarterOf(time: number): number {
  return Math.floor(time / 900_000)
}
