import type { FoldedTerm, SearchQuery } from "@treelog/session-core/session-index"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { firstIdOf } from "../tables/row-ids.js"
import { filterConditions, type QueryExpression, queryExpression } from "./query-expression.js"
import type { FittingSessions } from "./session-filter.js"
import { WordParts } from "./word-parts.js"

/** A text that may match, and its entry. */
export interface CandidateRow {
  readonly id: number
  readonly session: number
  readonly n: number
  /** Which of the texts of its entry it is. */
  readonly at: number
}

/** Words with a part that are looked for first; four times as many in each next round. */
const FIRST_WORDS = 64
const FIRST_PAGE = 128
const LARGEST_PAGE = 4096

/** Finds the rows that may match a query, the newest first, a page at a time. */
export class RowFinder {
  readonly #terms: readonly FoldedTerm[]
  readonly #filters: readonly string[] | undefined
  readonly #parts: WordParts
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
    this.#filters = filterConditions(connection, query, fitting)
    this.#parts = new WordParts(connection)
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
      const { expression, oldest } = this.#expression
      const from = Math.max(this.#least, oldest)
      const rows = candidates(connection, expression, { from, below: this.#below, most: this.#page })
      const last = rows.at(-1)
      const isFull = last !== undefined && rows.length === this.#page
      this.#below = isFull ? last.id : from
      if (isFull) this.#page = Math.min(LARGEST_PAGE, this.#page * 2)
      else {
        this.#words *= 4
        this.#expression = undefined
      }
      const there = rows.filter(({ session }) => session !== 0)
      if (there.length > 0) return there
    }
    return []
  }
}

function candidates(
  connection: SqliteConnection,
  expression: string | undefined,
  { from, below, most }: { from: number; below: number; most: number },
): CandidateRow[] {
  if (expression === undefined)
    return connection
      .sql("SELECT * FROM text WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT ?")
      .all<CandidateRow>(from, below, most)
  const find = connection.sql(`
    SELECT text.* FROM words CROSS JOIN text ON text.id = words.rowid
    WHERE words MATCH ? AND words.rowid >= ? AND words.rowid < ? ORDER BY words.rowid DESC LIMIT ?`)
  return find.all<CandidateRow>(expression, from, below, most)
}
