import { setImmediate } from "node:timers/promises"
import type { SessionStorage } from "@treelog/session-core"
import {
  byRelevance,
  FactsReader,
  type FoldedTerm,
  type FoundText,
  fitsText,
  foldTerms,
  foldText,
  groupedHits,
  type IndexedState,
  matchesAll,
  type PlacedFacts,
  requireLimit,
  type SearchQuery,
  type SearchResult,
} from "@treelog/session-core/session-index"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { IndexFile } from "../open-index.js"
import { isBefore } from "../tables/copies.js"
import { mixedDigest } from "../tables/entry-digest.js"
import { endOfStep } from "../tables/row-ids.js"
import { SessionRows } from "../tables/session-rows.js"
import { isCounted } from "./counted-copy.js"
import { type CandidateRow, RowFinder } from "./find-rows.js"
import { type FittingSessions, fittingSessions } from "./session-filter.js"

/** By relevance, the best are chosen among the newest that match: so many. */
const MOST_RANKED = 200
/** Entries that are read at a time. */
const AT_ONCE = 16

/** A row whose text is to be read, and where it stands. */
interface ReadableRow extends CandidateRow {
  readonly of: IndexedState
}

/** A text that matches, and its place in the order. */
interface Hit extends FoundText {
  readonly at: number
}

/** Searches by the index, and compares what it finds with the sessions. */
export async function searchIndex(file: IndexFile, storage: SessionStorage, query: SearchQuery): Promise<SearchResult> {
  const limit = requireLimit(query.limit)
  const terms = foldTerms(query.terms)
  const isRanked = query.sort === "relevance"
  const hits = await findHits(file, storage, query, terms, isRanked ? Math.max(limit, MOST_RANKED) : limit)
  const ranked = isRanked ? byRelevance(hits, terms) : hits
  return { sessions: groupedHits(ranked.slice(0, limit), terms, query.snippet), isMore: ranked.length > limit }
}

/** The newest texts that match, the newest first: more than `limit` if there are more. */
async function findHits(
  file: IndexFile,
  storage: SessionStorage,
  query: SearchQuery,
  terms: readonly FoldedTerm[],
  limit: number,
): Promise<Hit[]> {
  const facts = new FactsReader(storage)
  try {
    return await findByPages(file, query, new TextReader(facts, query, terms), limit)
  } finally {
    await facts.close()
  }
}

async function findByPages(file: IndexFile, query: SearchQuery, reader: TextReader, limit: number): Promise<Hit[]> {
  const { terms } = reader
  const shown = new Map<number, IndexedState>()
  let search: { finder: RowFinder; fitting: FittingSessions } | undefined
  let hits: Hit[] = []
  // Kept where the rest is done once more because of a lock.
  let rows: readonly CandidateRow[] | undefined
  for (;;) {
    const page = await file.use("search", (connection) => {
      const sessions = new SessionRows(connection)
      if (search === undefined) {
        const fitting = fittingSessions(connection, sessions, query)
        search = { finder: new RowFinder(connection, query, terms, fitting), fitting }
      }
      rows ??= search.finder.next(connection)
      return { isLast: rows.length === 0, rows: readable(connection, sessions, rows, search.fitting, shown) }
    })
    rows = undefined
    await setImmediate()
    hits = await withPage(hits, page.rows, limit, reader)
    if (page.isLast || isComplete(hits, limit, search?.finder.from ?? 0)) return hits
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
  let first = [...hits]
  const rows = [...page].sort((a, b) => b.time - a.time)
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const last = first[limit]?.facts.time ?? Number.NEGATIVE_INFINITY
    const next = rows.slice(at, at + AT_ONCE).filter(({ time }) => time >= last)
    if (next.length === 0) break
    const found = await Promise.all(next.map((row) => reader.read(row)))
    await reader.closeMany()
    first = [...first, ...found.filter((hit) => hit !== undefined)].sort(byOrder).slice(0, limit + 1)
  }
  return first
}

/** The newest first; of one time, the last in its session, the oldest session, and the first text of an entry. */
function byOrder(a: Hit, b: Hit): number {
  if (a.facts.time !== b.facts.time) return b.facts.time - a.facts.time
  if (a.facts.offset !== b.facts.offset) return b.facts.offset - a.facts.offset
  if (a.session.key !== b.session.key) return isBefore(a.session, b.session) ? -1 : 1
  return a.at - b.at
}

/** The rows whose sessions fit, and which count for their copies. @param shown the sessions of earlier rows: each is one object */
function readable(
  connection: SqliteConnection,
  sessions: SessionRows,
  rows: readonly CandidateRow[],
  fitting: FittingSessions,
  shown: Map<number, IndexedState>,
): ReadableRow[] {
  return rows.flatMap((row) => {
    if (fitting !== undefined && !fitting.has(row.session)) return []
    const of = shown.get(row.session) ?? sessions.get(row.session)
    if (of === undefined || !isCounted(connection, sessions, row, fitting)) return []
    shown.set(row.session, of)
    return [{ ...row, of }]
  })
}

/** Reads texts from the sessions, and compares them with the query. */
class TextReader {
  readonly terms: readonly FoldedTerm[]
  readonly #reader: FactsReader
  readonly #query: SearchQuery
  readonly #label: string
  readonly #read = new Map<string, Promise<PlacedFacts | undefined>>()

  constructor(reader: FactsReader, query: SearchQuery, terms: readonly FoldedTerm[]) {
    this.terms = terms
    this.#reader = reader
    this.#query = query
    this.#label = foldText(query.label ?? "")
  }

  async read({ of, session, n, at, ...entry }: ReadableRow): Promise<Hit | undefined> {
    const place = `${session} ${n}`
    let reading = this.#read.get(place)
    if (reading === undefined) {
      if (this.#read.size > AT_ONCE) this.#read.clear()
      const digest = mixedDigest(entry.digest, entry.id)
      reading = this.#reader.read(of.session.key, of.stat.identity, { ...entry, digest })
      this.#read.set(place, reading)
    }
    const facts = await reading
    const text = facts?.texts[at]
    if (facts === undefined || text === undefined || !fitsText(this.#query, text)) return undefined
    const folded = foldText(text.text)
    if (!folded.includes(this.#label) || !matchesAll(this.terms, folded, text.role)) return undefined
    return { session: of.session, facts, text, at }
  }

  closeMany(): Promise<void> {
    return this.#reader.closeMany()
  }
}
