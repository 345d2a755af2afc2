import {
  assertTerms,
  deletionKeys,
  foldPrompt,
  holdsTerms,
  inPromptScope,
  type Prompt,
  type PromptScope,
  type PromptSelection,
} from "@treelog/session-core"
import type { Connection } from "./database/connection.js"
import { rememberDeleted } from "./deleted-keys.js"
import { takeOutChanged } from "./indexing/take-out.js"
import { indexAnew, rebuildWords } from "./schema/index-anew.js"
import { dropTriggers, ensureTriggers } from "./schema/triggers.js"
import { COLUMNS, type HistoryRow, promptOf } from "./search/row.js"

/** Where more rows go, the indexes are made anew: taking a row out costs as much as indexing several. */
const MANY = 2000

/**
 * Deletes rows, in one transaction, and what the indexes hold of them.
 * @param now milliseconds since 1970
 * @returns how many
 */
export function deletePrompts(connection: Connection, selection: PromptSelection, now: number): number {
  return connection.transaction(() => {
    const rows = selectedRows(connection, selection)
    rememberDeleted(connection, deletionKeys(selection, rows), now)
    if (rows.length > MANY) dropTriggers(connection.db)
    const ids = JSON.stringify(rows.map(({ id }) => id))
    connection.sql("DELETE FROM history WHERE id IN (SELECT value FROM json_each(?))").run(ids)
    if (rows.length > MANY) indexEverything(connection)
    else takeOutChanged(connection)
    return rows.length
  })
}

function indexEverything(connection: Connection): void {
  ensureTriggers(connection.db)
  rebuildWords(connection.db)
  indexAnew(connection.db)
}

/** Looks at the rows themselves, and at no index of ours: what is to be deleted must not be missed. */
function selectedRows(connection: Connection, selection: PromptSelection): Prompt[] {
  const terms = "query" in selection ? assertTerms(selection.query) : []
  const scope: PromptScope = ("scope" in selection ? selection.scope : undefined) ?? { kind: "all" }
  const selected: Prompt[] = []
  for (const row of rowsToLookAt(connection, selection)) {
    const prompt = promptOf(row)
    if (inPromptScope(scope, prompt) && holdsTerms(foldPrompt(prompt.text), terms)) selected.push(prompt)
  }
  return selected
}

function rowsToLookAt(connection: Connection, selection: PromptSelection): Iterable<HistoryRow> {
  const rows = (condition: string, ...values: (string | number)[]) =>
    connection.sql(`SELECT ${COLUMNS} FROM history ${condition}`).iterate<HistoryRow>(...values)
  if ("id" in selection) return rows("WHERE prompt = (SELECT prompt FROM history WHERE id = ?)", selection.id)
  if (selection.scope?.kind === "session") return rows("WHERE session_id = ?", selection.scope.sessionId)
  if (selection.scope?.kind === "cwd") return rows("WHERE cwd = ?", selection.scope.cwd)
  return rows("")
}
