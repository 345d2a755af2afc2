import type { SqliteConnection } from "@treelog-internal/sqlite"
import type { IndexFile } from "../open-index.js"

/** So many pages are written in one transaction, for which others wait. */
const PAGES = 200

/**
 * Merges what FTS5 stored in many transactions, so that a search looks for each word in one place. A first build of thousands of sessions
 * takes 3 % longer, and a search for the words that have a part takes half the time.
 */
export async function mergeWords(file: IndexFile): Promise<void> {
  // A negative number begins the merge of everything, positive ones continue it.
  for (let pages = -PAGES, isLeft = true; isLeft; pages = PAGES)
    isLeft = await file.use("update", (connection) => {
      const before = changesOf(connection)
      connection.transaction(() => connection.sql("INSERT INTO words(words, rank) VALUES ('merge', ?)").run(pages))
      // Of one row: the statement's own.
      return changesOf(connection) - before > 1
    })
}

function changesOf(connection: SqliteConnection): number {
  return connection.sql("SELECT total_changes() AS changes").get<{ changes: number }>()?.changes ?? 0
}
