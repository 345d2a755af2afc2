import type { FoldedTerm, SearchQuery } from "@treelog/session-core/session-index"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { COPY, type EntryIdentity, type EntryPlace } from "../tables/copies.js"
import { firstIdOf, idsEndAt } from "../tables/row-ids.js"
import { filterConditions, type QueryExpression, queryExpression } from "./query-expression.js"
import type { FittingSessions } from "./session-filter.js"
import { WordParts } from "./word-parts.js"

/** A text that may match, and its entry. */
export interface CandidateRow extends EntryPlace, EntryIdentity {
  /** Of the text. */
  readonly row: number
  /** Which of the texts of its entry it is. */
  readonly at: number
  readonly offset: number
  readonly length: number
  readonly digest: number
  readonly copies: number
}

/** Words with a part that are looked for first; four times as many in each next round. */
const FIRST_WORDS = 64
const FIRST_PAGE = 64
const LARGEST_PAGE = 4096

/** Finds the rows that may match a query, the newest first, a page at a time. */
export class RowFinder {
  readonly #terms: readonly FoldedTerm[]
  readonly #filters: readonly string[] | undefined
  readonly #isEvery: boolean
  readonly #parts: WordParts
  readonly #query: SearchQuery
  readonly #least: number
  /** Rows below this one are left. */
  #below = Number.MAX_SAFE_INTEGER
  #words = FIRST_WORDS
  #page = FIRST_PAGE
  #expression: QueryExpression | undefined

  constructor(
    connection: SqliteConnection,
    query: SearchQuery,
    terms: readonly FoldedTerm[],
    fitting: FittingSessions,
  ) {
    this.#terms = terms
    this.#query = query
    this.#isEvery = fitting === undefined
    this.#filters = filterConditions(connection, query, fitting)
    this.#parts = new WordParts(connection)
    if (query.until !== undefined) this.#below = idsEndAt(connection, query.until)
    this.#least = query.since === undefined ? Number.MIN_SAFE_INTEGER : firstIdOf(query.since)
  }

  /** All rows that were not given yet are below this id. */
  get below(): number {
    return this.#below
  }

  /** The next rows; empty if there are none. */
  next(connection: SqliteConnection): readonly CandidateRow[] {
    while (this.#filters !== undefined && this.#below > this.#least) {
      this.#expression ??= queryExpression(this.#parts, this.#filters, this.#terms, this.#words)
      const from = Math.max(this.#least, this.#expression.oldest)
      const rows = this.#candidates(connection, this.#expression.expression, from)
      const last = rows.at(-1)
      if (last !== undefined && rows.length === this.#page) {
        this.#below = last.row
        this.#page = Math.min(LARGEST_PAGE, this.#page * 2)
      } else {
        this.#below = from
        this.#words *= 4
        this.#expression = undefined
      }
      if (rows.length > 0) return rows
    }
    return []
  }

  #candidates(connection: SqliteConnection, expression: string | undefined, from: number): CandidateRow[] {
    const { since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER } = this.#query
    const isTimed = this.#query.since !== undefined || this.#query.until !== undefined
    const find = connection.sql(`
      SELECT text.id AS row, text.at, entry.* FROM ${expression === undefined ? "text" : WITH_WORDS}
        CROSS JOIN entry ON entry.session = text.session AND entry.n = text.n
      WHERE ${expression === undefined ? "" : MATCHED}
        text.id >= ? AND text.id < ? AND entry.time >= ? AND entry.time < ? ${isTimed ? "AND entry.time <> 0" : ""}
        ${this.#isEvery ? `AND entry.copies <> ${COPY}` : ""}
      ORDER BY ${expression === undefined ? "text.id" : "words.rowid"} DESC LIMIT ?`)
    const matched = expression === undefined ? [] : [expression, from, this.#below]
    return find.all<CandidateRow>(...matched, from, this.#below, since, until, this.#page)
  }
}

/** FTS5 seeks by whole numbers alone, and drivers pass all numbers as floating point. */
const MATCHED = "words MATCH ? AND words.rowid >= CAST(? AS INTEGER) AND words.rowid < CAST(? AS INTEGER) AND"
const WITH_WORDS = "words CROSS JOIN text ON text.id = words.rowid"
