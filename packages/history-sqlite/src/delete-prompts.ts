import {
  assertTerms,
  deletionKeys,
  foldPrompt,
  holdsTerms,
  inPromptScope,
  type Prompt,
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

/** Looks at every row, and at no index: what is to be deleted must not be missed. */
function selectedRows(connection: Connection, selection: PromptSelection): Prompt[] {
  const isSelected = selector(connection, selection)
  const selected: Prompt[] = []
  for (const row of connection.sql(`SELECT ${COLUMNS} FROM history`).iterate<HistoryRow>()) {
    const prompt = promptOf(row)
    if (isSelected(prompt)) selected.push(prompt)
  }
  return selected
}

function selector(connection: Connection, selection: PromptSelection): (prompt: Prompt) => boolean {
  if ("id" in selection) {
    const find = connection.sql("SELECT prompt FROM history WHERE id = ?")
    const text = find.get<{ prompt: string }>(selection.id)?.prompt
    return (prompt) => prompt.text === text
  }
  const { scope = { kind: "all" } } = selection
  const terms = "query" in selection ? assertTerms(selection.query) : []
  return (prompt) => inPromptScope(scope, prompt) && holdsTerms(foldPrompt(prompt.text), terms)
}
