import { foldTerms, type SearchQuery } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { COPY, type EntryIdentity, type EntryPlace } from "../tables/copies.js"
import { idsBeginAt, idsEndAt } from "../tables/row-ids.js"
import {
  filterConditions,
  isOften,
  type NeighbourCondition,
  type QueryExpression,
  queryExpression,
} from "./query-expression.js"
import type { FittingSessions } from "./session-filter.js"
import { WordParts } from "./word-parts.js"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

/** A text that may match, and its entry. */
export interface CandidateRow extends EntryRow {
  /** Which of the texts of its entry it is. */
  readonly at: number
}

interface EntryRow extends EntryPlace, EntryIdentity {
  /** The id of its first text. */
  readonly row: number
  readonly offset: number
  readonly length: number
  readonly digest: number
  readonly copies: number
}

/** Words with a part that are looked for first; four times as many in each next round. */
const FIRST_WORDS = 64
/** So many texts are read without looking for a beginning of very many words. */
const FIRST_ROWS = 256
const FIRST_PAGE = 64
/** A first page has a quarter more rows than are needed: some of them do not match. */
const FIRST_SHARE = 5 / 4
const LARGEST_PAGE = 4096

/** Finds the rows that may match a query, the newest first, a page at a time. */
export class RowFinder {
  readonly #connection: SqliteConnection
  readonly #terms: readonly FoldedTerm[]
  readonly #filters: readonly string[] | undefined
  readonly #skipsCopies: boolean
  readonly #parts: WordParts
  readonly #query: SearchQuery
  readonly #end: number
  /** Rows from this one on are left. */
  #from = Number.MIN_SAFE_INTEGER
  #words = FIRST_WORDS
  #page: number
  #expression: QueryExpression | undefined
  /** How many rows are left of the first ones. */
  #first = 0

  /** @param needed so many rows are enough if all of them match */
  constructor(
    connection: SqliteConnection,
    query: SearchQuery,
    terms: readonly FoldedTerm[],
    fitting: FittingSessions,
    needed: number,
  ) {
    this.#connection = connection
    this.#page = Math.min(LARGEST_PAGE, Math.max(FIRST_PAGE, Math.ceil(needed * FIRST_SHARE)))
    // A label has its filter as a part, wherever: not where that is so short that only words are looked for.
    const [label] = foldTerms([{ text: query.label ?? "" }])
    this.#terms = label?.part === undefined ? terms : [...terms, { ...label, opensWord: false }]
    this.#query = query
    // Where not all sessions fit, the copy that counts depends on which of them do.
    this.#skipsCopies = fitting === undefined && query.distinct !== "session"
    this.#filters = filterConditions(connection, query, fitting)
    this.#parts = new WordParts(connection)
    if (terms.some((term) => isOften(this.#parts, term))) this.#first = FIRST_ROWS
    if (query.until !== undefined) this.#from = idsBeginAt(connection, query.until)
    this.#end = query.since === undefined ? Number.MAX_SAFE_INTEGER : idsEndAt(query.since)
  }

  /** All rows that were not returned yet have this id or a higher one. */
  get from(): number {
    return this.#from
  }

  /**
   * The next rows; empty if there are none, or if an empty index took the place of a damaged one meanwhile.
   * @param least no older rows are needed. Milliseconds since 1970
   */
  next(connection: SqliteConnection, least?: number): readonly CandidateRow[] {
    if (connection !== this.#connection) return []
    const stop = least === undefined ? this.#end : Math.min(this.#end, idsEndAt(least))
    while (this.#filters !== undefined && this.#from < stop) {
      const effort = { words: this.#words, isFirst: this.#first > 0 }
      this.#expression ??= queryExpression(this.#parts, this.#filters, this.#terms, effort)
      const end = Math.min(stop, this.#expression.before)
      const { rows, last } = this.#candidates(connection, this.#expression, { least, end })
      if (last !== undefined) {
        this.#from = last + 1
        this.#first -= rows.length
        if (effort.isFirst && this.#first <= 0) this.#expression = undefined
        this.#page = Math.min(LARGEST_PAGE, this.#page * 2)
      } else {
        this.#from = end
        this.#words *= 4
        this.#expression = undefined
      }
      if (rows.length > 0) return rows
    }
    return []
  }

  /** @returns a page of rows, and the last id on it; without one, there are no more before `end` */
  #candidates(
    connection: SqliteConnection,
    { expression, neighbours }: QueryExpression,
    { least = Number.MIN_SAFE_INTEGER, end }: { readonly least: number | undefined; readonly end: number },
  ): { readonly rows: readonly CandidateRow[]; readonly last: number | undefined } {
    const { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER } = this.#query
    const isTimed = this.#query.since !== undefined || this.#query.until !== undefined
    const conditions = `entry.session <> 0 AND entry.time >= ? AND entry.time < ? ${isTimed ? "AND entry.time <> 0" : ""}
      ${this.#skipsCopies ? `AND entry.copies <> ${COPY}` : ""}`
    const values = [this.#from, end, Math.max(since, least), until, this.#page]
    if (expression === undefined) {
      const find = connection.sql(`${EVERY_ENTRY} AND ${conditions} ORDER BY row LIMIT ?`)
      const entries = find.all<EntryRow & { readonly texts: number }>(...values)
      const rows = entries.flatMap((entry) => Array.from({ length: entry.texts }, (_, at) => ({ ...entry, at })))
      return { rows, last: entries.length === this.#page ? entries.at(-1)?.row : undefined }
    }
    const find = connection.sql(`${withWords(neighbours)} AND ${conditions} ORDER BY words.rowid LIMIT ?`)
    const rows = find.all<CandidateRow>(...neighbours.flatMap((one) => one.values), expression, ...values)
    const last = rows.at(-1)
    return { rows, last: last && rows.length === this.#page ? last.row + last.at : undefined }
  }
}

const EVERY_ENTRY = "SELECT * FROM entry WHERE texts > 0 AND row >= ? AND row < ?"
/** FTS5 seeks by whole numbers alone, and drivers pass all numbers as floating point. */
function withWords(neighbours: readonly NeighbourCondition[]): string {
  const conditions = ["neighbours.row = words.rowid", ...neighbours.map(({ sql }) => `(${sql})`)]
  return `
    SELECT words.rowid - entry.row AS at, entry.* FROM words
      ${neighbours.length > 0 ? `CROSS JOIN neighbours ON ${conditions.join(" AND ")}` : ""}
      CROSS JOIN entry ON entry.row = (SELECT max(own.row) FROM entry AS own WHERE own.row <= words.rowid)
    WHERE words MATCH ? AND words.rowid >= CAST(? AS INTEGER) AND words.rowid < CAST(? AS INTEGER)`
}
