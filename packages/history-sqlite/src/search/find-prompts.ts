import {
  foldText,
  isInPromptScope,
  matchesTerms,
  type Prompt,
  type PromptScope,
} from "@treelog/session-core/prompt-history"
import type { Connection } from "../database/connection.js"
import { countChanges } from "../indexing/changes.js"
import { matchExpression } from "./match-expression.js"
import { COLUMNS, columnsOf, type HistoryRow, promptOf } from "./row.js"

const NEWEST_FIRST = "ORDER BY history.created_at DESC, history.id DESC"

/**
 * Finds the newest prompts that contain the terms: distinct texts, newest first, at most `limit`. The index returns candidates, and
 * each is compared.
 */
export function findPrompts(
  connection: Connection,
  terms: readonly string[],
  { scope, limit }: { scope: PromptScope; limit: number },
): Prompt[] {
  const found = new Map<string, Prompt>()
  if (!(limit >= 1)) return []
  for (const row of candidates(connection, terms, scope)) {
    if (found.has(row.prompt)) continue
    const prompt = promptOf(row)
    if (!isInPromptScope(scope, prompt) || !matchesTerms(foldText(prompt.text), terms)) continue
    found.set(prompt.text, prompt)
    if (found.size >= limit) break
  }
  return [...found.values()]
}

/** The prompt of a row. */
export function promptWithId(connection: Connection, id: number): Prompt | undefined {
  const row = connection.sql(`SELECT ${columnsOf(connection.shape)} FROM history WHERE id = ?`).get<HistoryRow>(id)
  return row && promptOf(row)
}

/** Candidate rows, newest first, read on demand. */
function candidates(connection: Connection, terms: readonly string[], scope: PromptScope): Iterable<HistoryRow> {
  if (!connection.isIndexed || (connection.access === "read" && countChanges(connection, 1) > 0))
    return everyRow(connection)
  if (scope.kind === "session") return sessionRows(connection, scope.sessionId)
  const expression = matchExpression(connection, terms, scope)
  if (expression === undefined) return []
  return expression === "" ? heads(connection) : matchingHeads(connection, expression)
}

function matchingHeads(connection: Connection, expression: string): Iterable<HistoryRow> {
  return connection
    .sql(`
      SELECT ${COLUMNS} FROM treelog_gram
        CROSS JOIN treelog_row ON treelog_row.position = treelog_gram.rowid AND treelog_row.head = 1
        CROSS JOIN history ON history.id = treelog_row.id
      WHERE treelog_gram MATCH ? ORDER BY treelog_gram.rowid DESC`)
    .iterate<HistoryRow>(expression)
}

function heads(connection: Connection): Iterable<HistoryRow> {
  return connection
    .sql(`
      SELECT ${COLUMNS} FROM treelog_row CROSS JOIN history ON history.id = treelog_row.id
      WHERE treelog_row.head = 1 ORDER BY treelog_row.position DESC`)
    .iterate<HistoryRow>()
}

/** All rows of a session, by their SQL index: a session is small, and the rows may not be heads. */
function sessionRows(connection: Connection, sessionId: string): Iterable<HistoryRow> {
  return connection
    .sql(`SELECT ${COLUMNS} FROM history WHERE session_id = ? ${NEWEST_FIRST}`)
    .iterate<HistoryRow>(sessionId)
}

/** All rows: used when the indexes are not complete and cannot be updated. */
function everyRow(connection: Connection): Iterable<HistoryRow> {
  return connection.sql(`SELECT ${columnsOf(connection.shape)} FROM history ${NEWEST_FIRST}`).iterate<HistoryRow>()
}
