import { setImmediate } from "node:timers/promises"
import { isTreelogError } from "@treelog/session-core"
import {
  byRelevance,
  FactsReader,
  firstOfEach,
  fitsText,
  foldTerms,
  foldText,
  groupedHits,
  hitPartOf,
  type IndexedSession,
  type IndexedState,
  type IndexSource,
  inFaces,
  matchesAll,
  oldestFirst,
  type PlacedFacts,
  placeOf,
  requireQuery,
  type SearchQuery,
  type SearchResult,
} from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { IndexFile } from "../open-index.js"
import { endOfStep } from "../tables/row-ids.js"
import { SessionRows } from "../tables/session-rows.js"
import { type CandidateRow, RowFinder } from "./find-rows.js"
import { type FittingSessions, fittingSessions, isCounted, sessionsWithCopy } from "./session-filter.js"

type FoundText = Parameters<typeof byRelevance>[0][number]

type KeptEntry = Pick<PlacedFacts, "id" | "offset" | "length" | "digest">

type EntryText = PlacedFacts["texts"][number]

type FoldedTerm = ReturnType<typeof foldTerms>[number]

/** By relevance, the best are chosen among the newest that match: so many. */
const MOST_RANKED = 200
/** Of one text for each session, so many are read at a time; otherwise as many as are likely to be enough. */
const AT_ONCE = 16
const MOST_AT_ONCE = 512
/** Sessions that are read at a time. */
const OPEN_AT_ONCE = 16

/** A row whose text is to be read, and where it stands. */
interface ReadableRow extends CandidateRow {
  readonly of: ShownState
}

/** What is known of a session or of a part of one. */
interface ShownState extends IndexedState {
  /** The session that a hit names. */
  readonly owner: IndexedSession
}

/** A text that matches, and its row. */
interface Hit extends FoundText {
  readonly row: ReadableRow
}

/** Searches by the index, and compares what it finds with the sessions. */
export async function searchIndex(
  file: IndexFile,
  sources: readonly IndexSource[],
  query: SearchQuery,
): Promise<SearchResult> {
  const limit = requireQuery(query)
  const terms = foldTerms(query.terms)
  const isRanked = query.sort === "relevance"
  const reader = new TextReader(sources, query, terms)
  try {
    const { hits, fitting } = await findByPages(file, query, reader, isRanked ? Math.max(limit, MOST_RANKED) : limit)
    const ranked = isRanked ? byRelevance(hits, terms) : hits
    const first = ranked.slice(0, limit) as Hit[]
    const copies = query.faceOf && (await file.use("search", (connection) => copiesOfHits(connection, first, fitting)))
    const named = await inFaces(first, (hit) => copies?.get(hit) ?? [], query)
    const shown = reader.isPerSession ? firstOfEach(named) : named
    return { sessions: groupedHits(shown, terms, query.snippet), isMore: ranked.length > limit }
  } finally {
    await reader.close()
  }
}

function copiesOfHits(connection: SqliteConnection, hits: readonly Hit[], fitting: FittingSessions) {
  const sessions = new SessionRows(connection)
  return new Map(hits.map((hit) => [hit, sessionsWithCopy(connection, sessions, hit.row, fitting)]))
}

/** The newest texts that match, the newest first: more than `limit` if there are more; and which sessions fit. */
async function findByPages(
  file: IndexFile,
  query: SearchQuery,
  reader: TextReader,
  limit: number,
): Promise<{ readonly hits: Hit[]; readonly fitting: FittingSessions }> {
  const { terms } = reader
  const shown = new Map<number, ShownState>()
  let search: { finder: RowFinder; fitting: FittingSessions } | undefined
  let hits: Hit[] = []
  // Kept where the rest is done once more because of a lock.
  let rows: readonly CandidateRow[] | undefined
  for (;;) {
    const page = await file.use("search", (connection) => {
      const sessions = new SessionRows(connection)
      if (search === undefined) {
        const fitting = fittingSessions(connection, sessions, query)
        search = { finder: new RowFinder(connection, query, terms, fitting, limit + 1), fitting }
      }
      rows ??= search.finder.next(connection, hits[limit]?.facts.time)
      return { isLast: rows.length === 0, rows: readable(connection, sessions, rows, { ...search, query, shown }) }
    })
    rows = undefined
    await setImmediate()
    hits = await withPage(hits, page.rows, limit, reader)
    if (page.isLast || isComplete(hits, limit, search?.finder.from ?? 0)) return { hits, fitting: search?.fitting }
  }
}

/** Whether no row with this id or a higher one can come before the first hits that are more than the limit. */
function isComplete(hits: readonly Hit[], limit: number, id: number): boolean {
  const last = hits[limit]
  return last !== undefined && endOfStep(id) <= last.facts.time
}

/** The first hits, more than the limit by one, after those of a page of rows. Only rows that can be among them are read. */
async function withPage(
  hits: readonly Hit[],
  page: readonly ReadableRow[],
  limit: number,
  reader: TextReader,
): Promise<Hit[]> {
  const rows = [...page].sort(byOrder)
  let first = [...hits]
  let [at, read, found] = [0, 0, 0]
  for (;;) {
    const last = first[limit]?.row
    const newest = new Map(reader.isPerSession ? first.map(({ session, facts }) => [placeOf(session), facts.time]) : [])
    const count = reader.isPerSession ? AT_ONCE : likelyCount(limit + 1 - first.length, read, found)
    const next: ReadableRow[] = []
    for (; next.length < count && at < rows.length; at++) {
      const row = rows[at] as ReadableRow
      const isNewest = row.time >= (newest.get(placeOf(row.of.owner)) ?? row.time)
      if (isNewest && (last === undefined || byOrder(row, last) < 0)) next.push(row)
    }
    if (next.length === 0) return first
    const hits = await reader.read(next)
    read += next.length
    found += hits.length
    const sorted = [...first, ...hits].sort((a, b) => byOrder(a.row, b.row))
    first = (reader.isPerSession ? firstOfEach(sorted) : sorted).slice(0, limit + 1)
  }
}

/** How many more texts to read for the hits that are needed, where so many of those that were read match. */
function likelyCount(needed: number, read: number, found: number): number {
  if (needed <= 0) return AT_ONCE
  return Math.min(MOST_AT_ONCE, Math.ceil((needed * (read + 1)) / (found + 1)))
}

/** The newest first; of one time, the last in its session, the oldest session, and the first text of an entry. */
function byOrder(a: ReadableRow, b: ReadableRow): number {
  if (a.time !== b.time) return b.time - a.time
  if (a.offset !== b.offset) return b.offset - a.offset
  return oldestFirst(a.of.owner, b.of.owner) || a.at - b.at
}

/** The rows whose sessions fit, and which count for their copies. `shown` has the sessions of earlier rows: each is one object. */
function readable(
  connection: SqliteConnection,
  sessions: SessionRows,
  rows: readonly CandidateRow[],
  { query, fitting, shown }: { query: SearchQuery; fitting: FittingSessions; shown: Map<number, ShownState> },
): ReadableRow[] {
  const counts = (row: CandidateRow): boolean =>
    query.distinct === "session" || isCounted(connection, sessions, row, fitting)
  return rows.flatMap((row) => {
    if (fitting !== undefined && !fitting.has(row.session)) return []
    const of = shown.get(row.session) ?? shownState(sessions, row.session)
    if (of === undefined || !standsWithin(row, of) || !counts(row)) return []
    shown.set(row.session, of)
    return [{ ...row, of }]
  })
}

function shownState(sessions: SessionRows, n: number): ShownState | undefined {
  const state = sessions.get(n)
  return state && { ...state, owner: sessions.owner(state) }
}

/** Whether an entry can stand there. Of a row that was damaged on the disk, the length could be more than memory has, or less than 0. */
function standsWithin({ offset, length }: CandidateRow, { stat }: IndexedState): boolean {
  const isPlace = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0
  return isPlace && offset + length <= stat.size
}

/** Reads texts from the sessions, and compares them with the query. */
class TextReader {
  readonly terms: readonly FoldedTerm[]
  /** One text of each session is wanted. */
  readonly isPerSession: boolean
  /** By the names of their sources. */
  readonly #readers: ReadonlyMap<string, FactsReader>
  readonly #unreadable = new Set<string>()
  readonly #query: SearchQuery
  readonly #label: string

  constructor(sources: readonly IndexSource[], query: SearchQuery, terms: readonly FoldedTerm[]) {
    this.terms = terms
    this.isPerSession = query.distinct === "session"
    this.#readers = new Map(sources.map(({ name = "", storage, blobs }) => [name, new FactsReader(storage, blobs)]))
    this.#query = query
    this.#label = foldText(query.label ?? "")
  }

  /** The hits of the rows that match, in no order. */
  async read(rows: readonly ReadableRow[]): Promise<Hit[]> {
    const groups = [...bySession(rows)]
    const hits: Hit[][] = []
    for (let at = 0; at < groups.length; at += OPEN_AT_ONCE) {
      const some = groups.slice(at, at + OPEN_AT_ONCE)
      hits.push(...(await Promise.all(some.map(([of, entries]) => this.#readSession(of, [...entries.values()])))))
      for (const reader of this.#readers.values()) await reader.closeMany()
    }
    return hits.flat()
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close()
  }

  async #readSession({ session, owner, stat }: ShownState, entries: readonly RowsOfEntry[]): Promise<Hit[]> {
    const read = await this.#readEntries(session, stat, entries)
    return [...read].flatMap(([{ texts }, facts]) =>
      texts.flatMap((row): Hit[] => {
        const text = facts.texts[row.at]
        const folded = text && this.#matching(text)
        return text === undefined || folded === undefined
          ? []
          : [{ session: owner, part: hitPartOf(session), facts, text, folded, row }]
      }),
    )
  }

  /** Nothing of a source that cannot be read, where there are others. */
  async #readEntries(
    { key, source = "" }: IndexedSession,
    { identity }: IndexedState["stat"],
    entries: readonly RowsOfEntry[],
  ): Promise<ReadonlyMap<RowsOfEntry, PlacedFacts>> {
    const { onUnreadableSource } = this.#query
    try {
      return (await this.#readers.get(source)?.read(key, identity, entries)) ?? new Map()
    } catch (error) {
      if (!onUnreadableSource || this.#readers.size === 1 || !isTreelogError(error)) throw error
      if (!this.#unreadable.has(source)) onUnreadableSource(source, error)
      this.#unreadable.add(source)
      return new Map()
    }
  }

  /** The text, folded; undefined if it does not match. */
  #matching(text: EntryText): string | undefined {
    if (!fitsText(this.#query, text)) return undefined
    const folded = foldText(text.text)
    return folded.includes(this.#label) && matchesAll(this.terms, folded, text.role) ? folded : undefined
  }
}

/** An entry, and which of its texts may match. */
interface RowsOfEntry extends KeptEntry {
  readonly texts: ReadableRow[]
}

/** The entries of the rows, by their order in their sessions. */
function bySession(rows: readonly ReadableRow[]): Map<ShownState, Map<number, RowsOfEntry>> {
  const sessions = new Map<ShownState, Map<number, RowsOfEntry>>()
  for (const row of rows) {
    const { of, n, id, offset, length, digest } = row
    const entries = sessions.get(of) ?? new Map<number, RowsOfEntry>()
    sessions.set(of, entries)
    const known = entries.get(n)
    if (known) known.texts.push(row)
    else entries.set(n, { id, offset, length, digest, texts: [row] })
  }
  return sessions
}
