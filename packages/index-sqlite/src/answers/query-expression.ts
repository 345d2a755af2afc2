import { type FoldedTerm, fitsModel, foldText, hasModelFilter, type SearchQuery } from "@treelog/session-core/search"
import type { SqliteConnection } from "@treelog-internal/sqlite"
import { modelToken, roleToken, sessionToken, toolToken } from "../tokens/mark-tokens.js"
import { quoteToken } from "../tokens/quote-token.js"
import type { FittingSessions } from "./session-filter.js"
import { type Effort, excludedWord, type NeighbourCondition, termCondition } from "./term-conditions.js"
import type { WordParts } from "./word-parts.js"

/** With more sessions, the session of each found row is checked instead. */
const MOST_SESSIONS = 300

/** What FTS5 is asked for rows with ids below `before`. */
export interface QueryExpression {
  /** Undefined if every row can match. */
  readonly expression: string | undefined
  /** What must hold of the neighbours of words besides. */
  readonly neighbours: readonly NeighbourCondition[]
  /** Other rows need another expression. */
  readonly before: number
}

/** The conditions of a query that are the same for all rows. Undefined if no row can match. */
export function filterConditions(
  connection: SqliteConnection,
  query: SearchQuery,
  fitting: FittingSessions,
): string[] | undefined {
  const conditions: string[] = []
  const oneOf = (tokens: readonly string[]): boolean => {
    if (tokens.length > 0) conditions.push(`(${tokens.map(quoteToken).join(" OR ")})`)
    return tokens.length > 0
  }
  if (query.roles !== undefined && query.roles.length > 0) oneOf(query.roles.map(roleToken))
  if (query.label !== undefined) oneOf([roleToken("label")])
  const { tool } = query
  if (tool !== undefined) {
    const folded = foldText(tool)
    if (!oneOf(namesThat(connection, (name) => foldText(name) === folded).map(toolToken))) return undefined
  }
  if (hasModelFilter(query) && !oneOf(namesThat(connection, (name) => fitsModel(query, name)).map(modelToken)))
    return undefined
  if (fitting?.size === 0) return undefined
  if (fitting !== undefined && fitting.size <= MOST_SESSIONS) oneOf([...fitting.keys()].map(sessionToken))
  return conditions
}

export function queryExpression(
  parts: WordParts,
  filters: readonly string[],
  terms: readonly FoldedTerm[],
  effort: Effort,
): QueryExpression {
  const found = terms.map((term) => termCondition(parts, term, effort))
  const conditions = [
    ...filters,
    ...found.flatMap(({ expression }) => (expression === undefined ? [] : `(${expression})`)),
  ]
  const excluded = terms.flatMap((term) => excludedWord(term) ?? [])
  const before = Math.min(Number.POSITIVE_INFINITY, ...found.map((one) => one.before))
  const neighbours = found.flatMap((one) => one.neighbours ?? [])
  if (conditions.length === 0) return { expression: undefined, neighbours, before }
  const all = conditions.join(" AND ")
  return { expression: excluded.length > 0 ? `(${all}) NOT (${excluded.join(" OR ")})` : all, neighbours, before }
}

function namesThat(connection: SqliteConnection, fits: (name: string) => boolean): number[] {
  const names = connection.sql("SELECT n, text FROM name").all<{ n: number; text: string }>()
  return names.filter(({ text }) => fits(text)).map(({ n }) => n)
}
