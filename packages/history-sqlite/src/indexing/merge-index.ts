import { setImmediate as nextTurn } from "node:timers/promises"
import type { Connection } from "../database/connection.js"
import { retryBusy } from "../database/retry-busy.js"

/** Pages of the index that are written in one step, while others wait. */
const PAGES = 1000

/**
 * Merges all segments of our index into one, so that it holds nothing of what was taken out. FTS5 only marks entries
 * as deleted (to remove them at once, by its `secure-delete`, takes as long as indexing a hundred prompts), and such
 * marks and what they mark meet here.
 */
export async function mergeIndex(connection: Connection): Promise<void> {
  // A negative number begins the merge of everything; positive ones go on with it.
  for (let pages = -PAGES; (await retryBusy(() => mergeStep(connection, pages))) || pages < 0; pages = PAGES)
    await nextTurn()
}

/** Merges what many rows left in pieces, so that no later change has to do it all at once. */
export async function mergePieces(connection: Connection): Promise<void> {
  while (await retryBusy(() => mergeStep(connection, PAGES))) await nextTurn()
}

/** @returns whether there was anything to merge: FTS5 then changes more than the row that asks it to */
function mergeStep(connection: Connection, pages: number): boolean {
  return connection.transaction(() => {
    const count = connection.sql("SELECT total_changes() AS changes")
    const before = count.get<{ changes: number }>()?.changes ?? 0
    connection.sql("INSERT INTO treelog_gram(treelog_gram, rank) VALUES ('merge', ?)").run(pages)
    return (count.get<{ changes: number }>()?.changes ?? 0) - before >= 2
  })
}
