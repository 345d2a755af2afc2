import { TreelogError } from "@treelog/session-core"
import { containsTerms, foldText, plainTerms } from "@treelog/session-core/search"
import type { Connection } from "./database/connection.js"
import { rememberDeleted, tombstonesFor } from "./deleted-keys.js"
import type { Prompt, PromptScope, PromptSelection } from "./prompt.js"
import { rebuildWords } from "./schema/reindex.js"
import { ERASING } from "./schema/tables.js"
import { dropTriggers, ensureTriggers } from "./schema/triggers.js"
import { isInPromptScope } from "./search/prompt-scope.js"
import { COLUMNS, type HistoryRow, promptOf } from "./search/row.js"

/** Up to this many rows are removed from the word index one by one. */
const FEW = 400

/**
 * Deletes rows and their index entries, in one transaction.
 * @param now milliseconds since 1970
 * @returns the number of deleted rows
 */
export function deletePrompts(connection: Connection, selection: PromptSelection, now: number): number {
  return connection.transaction(() => {
    const rows = selectedRows(connection, selection)
    rememberDeleted(connection, tombstonesFor(selection, rows), now)
    if (rows.length > 0) connection.db.exec(`${ERASING}; INSERT INTO treelog_erasing DEFAULT VALUES`)
    if (rows.length <= FEW) deleteRows(connection, rows)
    else deleteMany(connection, rows)
    return rows.length
  })
}

/**
 * The terms of a query for a deletion.
 * @throws InvalidArgumentError when there are none, since that would match every prompt
 */
export function requirePromptTerms(query: string): string[] {
  const terms = plainTerms(query)
  if (terms.length > 0) return terms
  throw new TreelogError("InvalidArgumentError", "A query that says what to delete has at least one term.", {
    argument: "query",
    value: query,
  })
}

/** Makes the word index again: removing a row from it takes longer than adding one. */
function deleteMany(connection: Connection, rows: readonly Prompt[]): void {
  dropTriggers(connection.db)
  deleteRows(connection, rows)
  ensureTriggers(connection.db)
  rebuildWords(connection.db)
}

function deleteRows(connection: Connection, rows: readonly Prompt[]): void {
  const ids = JSON.stringify(rows.map(({ id }) => id))
  connection.sql("DELETE FROM history WHERE id IN (SELECT value FROM json_each(?))").run(ids)
}

/** Scans the rows themselves instead of the indexes, so that no row is missed. */
function selectedRows(connection: Connection, selection: PromptSelection): Prompt[] {
  const terms = "query" in selection ? requirePromptTerms(selection.query) : []
  const scope: PromptScope = ("scope" in selection ? selection.scope : undefined) ?? { kind: "all" }
  const selected: Prompt[] = []
  for (const row of rowsToScan(connection, selection)) {
    const prompt = promptOf(row)
    if (isInPromptScope(scope, prompt) && containsTerms(foldText(prompt.text), terms)) selected.push(prompt)
  }
  return selected
}

function rowsToScan(connection: Connection, selection: PromptSelection): Iterable<HistoryRow> {
  const rows = (condition: string, ...values: (string | number)[]) =>
    connection.sql(`SELECT ${COLUMNS} FROM history ${condition}`).iterate<HistoryRow>(...values)
  if ("id" in selection) return rows("WHERE prompt = (SELECT prompt FROM history WHERE id = ?)", selection.id)
  if (selection.scope?.kind === "session") return rows("WHERE session_id = ?", selection.scope.sessionId)
  if (selection.scope?.kind === "cwd") return rows("WHERE cwd = ?", selection.scope.cwd)
  return rows("")
}
