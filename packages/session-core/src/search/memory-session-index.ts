import { fitsModel } from "../entry/filters.js"
import { foldText } from "../entry/fold-text.js"
import { TreelogError } from "../errors.js"
import type {
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
import { CopyOrder, oldestFirst } from "./copy-order.js"
import type { PlacedFacts } from "./entry-facts.js"
import { filesThatFit, fitsSession, fitsText, fitsTime, requireQuery } from "./index-filter.js"
import { copySource, type IndexSource, indexSources } from "./index-source.js"
import { type IndexChange, type IndexedState, type IndexTables, isBasedOn, settledStat } from "./index-tables.js"
import { type FoldedTerm, foldTerms, matchesAll } from "./match-text.js"
import { hitPartOf, ownerPlace, placeOf } from "./part-of-session.js"
import { byRelevance, type FoundText, firstOfEach, groupedHits, inFaces, newestFirst } from "./rank-hits.js"
import { UsageRows, usageKey } from "./sums.js"
import { updateIndex } from "./update-index.js"

/** An entry of a session that fits a query. */
interface Found {
  readonly session: IndexedSession
  /** The part of the session that has it. */
  readonly part?: HitPart | undefined
  readonly facts: PlacedFacts
}

/**
 * A `SessionIndex` in memory, for tests, pages and small stores. It holds all texts, and goes through all of them for each answer.
 */
export class MemorySessionIndex implements SessionIndex {
  readonly #sources: readonly IndexSource[]
  readonly #order: CopyOrder
  readonly #tables = new MemoryIndexTables()
  #isClosed = false

  /**
   * @param sources one source, or several with names
   * @param options of the only source: its `blobs`, and its `agent`
   */
  constructor(sources: SessionSource | readonly IndexSource[], options: Pick<IndexSource, "blobs" | "agent"> = {}) {
    this.#sources = indexSources(sources, options)
    this.#order = new CopyOrder(new Map(this.#sources.map((source) => [source.name ?? "", copySource(source)])))
  }

  async update(options?: IndexUpdateOptions): Promise<IndexUpdateReport> {
    this.#assertOpen()
    const asked = this.#sources.filter(({ name = "" }) => options?.sources?.includes(name) !== false)
    return updateIndex(asked, this.#tables, options)
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    this.#assertOpen()
    const limit = requireQuery(query)
    const terms = foldTerms(query.terms)
    const all = [...this.#texts(query, terms)].sort(newestFirst)
    const found = query.distinct === "session" ? firstOfEach(all) : all
    const ranked = query.sort === "relevance" ? byRelevance(found, terms) : found
    const named = await inFaces(ranked.slice(0, limit), (one) => this.#copiesOf(one, query), query)
    const first = query.distinct === "session" ? firstOfEach(named) : named
    return { sessions: groupedHits(first, terms, query.snippet), isMore: ranked.length > limit }
  }

  async usage(query: UsageQuery): Promise<UsageRow[]> {
    this.#assertOpen()
    const { by = "total" } = query
    const rows = new UsageRows(query)
    for (const { session, facts } of this.#entries(query, false, usageIdentitiesOf))
      for (const usage of facts.usages) {
        if (!fitsModel(query, usage.model)) continue
        rows.add(usageKey(by, facts.time, usage, session), usage, session)
      }
    return rows.sorted()
  }

  async files(query: FileQuery): Promise<FileUse[]> {
    this.#assertOpen()
    const limit = requireQuery(query)
    const used = [...this.#entries(query)].flatMap((found) =>
      filesThatFit(found.facts, query).map((file) => ({ ...found, file })),
    )
    const newest = used.sort((a, b) => b.facts.time - a.facts.time || oldestFirst(a.session, b.session)).slice(0, limit)
    const named = await inFaces(newest, (one) => this.#copiesOf(one, query), query)
    return named.map(
      ({ session, part, facts, file }): FileUse => ({
        ...{ session, entryId: facts.id, time: facts.time },
        ...file,
        ...(part && { part }),
      }),
    )
  }

  async close(): Promise<void> {
    this.#isClosed = true
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

  /** The entries of the sessions that fit, each once unless copies are wanted. @param identities of which copies of an entry have at least one */
  *#entries(filter: IndexFilter, withCopies = false, identities = identitiesOf): Generator<Found> {
    const seen = new Map<string, Set<IndexedSession>>()
    const sessions = this.#tables.sorted(this.#order)
    const touching = new Set(
      sessions.filter(({ facts }) => touches(facts, filter.file)).map(({ state }) => ownerPlace(state.session)),
    )
    for (const { state, facts: all } of sessions) {
      const part = hitPartOf(state.session)
      const session = this.#ownerOf(state.session)
      if (!fitsSession(filter, session) || !touching.has(ownerPlace(state.session))) continue
      for (const facts of all) {
        const own = identities(facts)
        const isCopy = own.some((identity) =>
          [...(seen.get(identity) ?? [])].some((other) => this.#order.mayShare(other, state.session)),
        )
        if (isCopy && !withCopies) continue
        for (const identity of own) seen.set(identity, (seen.get(identity) ?? new Set()).add(state.session))
        if (fitsTime(filter, facts.time)) yield { session, part, facts }
      }
    }
  }

  #ownerOf(session: IndexedSession): IndexedSession {
    return this.#tables.kept(ownerPlace(session))?.state.session ?? session
  }

  /** The entry in all sessions that fit. */
  #copiesOf({ session, facts }: Found, filter: IndexFilter): Found[] {
    const identities = identitiesOf(facts)
    return [...this.#entries(filter, true)].filter(
      (one) =>
        identitiesOf(one.facts).some((identity) => identities.includes(identity)) &&
        this.#order.mayShare(one.session, session),
    )
  }
}

/** A copy of an entry has its id, its timestamp and its content, or its response. */
function identitiesOf({ id, timestamp, content, response }: PlacedFacts): string[] {
  return [JSON.stringify([id, timestamp, content]), ...(response === undefined ? [] : [String(response)])]
}

/** What a copy used is also known by the call. */
function usageIdentitiesOf(facts: PlacedFacts): string[] {
  if (facts.usages.length === 0) return []
  return [...identitiesOf(facts), ...(facts.call === undefined ? [] : [`call ${facts.call}`])]
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

  sorted(order: CopyOrder): KeptSession[] {
    return [...this.#sessions.values()].sort(({ state: { session: a } }, { state: { session: b } }) =>
      order.isBefore(a, b) ? -1 : 1,
    )
  }

  kept(place: string): KeptSession | undefined {
    return this.#sessions.get(place)
  }

  settledStats(source: string): Map<string, string> {
    const own = [...this.#sessions.values()].filter(({ state }) => (state.session.source ?? "") === source)
    return new Map(own.map(({ state }) => [state.session.key, settledStat(state)]))
  }

  state(session: Pick<IndexedSession, "key" | "source">): IndexedState | undefined {
    return this.#sessions.get(placeOf(session))?.state
  }

  put({ former, state, facts, from }: IndexChange): boolean {
    const place = placeOf(state.session)
    const kept = this.#sessions.get(place)
    if (!isBasedOn(kept?.state, { former, state, from })) return false
    const before = (kept?.facts ?? []).filter(({ offset }) => offset < from)
    this.#sessions.set(place, { state, facts: [...before, ...facts] })
    return true
  }

  remove(former: IndexedState): boolean {
    return isBasedOn(this.state(former.session), { former }) && this.#sessions.delete(placeOf(former.session))
  }
}
