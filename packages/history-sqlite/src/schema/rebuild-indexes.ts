import { inTransaction, type SqliteDatabase } from "@treelog-internal/sqlite"
import { rebuildIndex, rebuildWords } from "./reindex.js"
import { INDEX, WORDS } from "./tables.js"
import { dropTriggers, ensureTriggers } from "./triggers.js"

/** Drops damaged indexes and rebuilds them from the rows. */
export function rebuildIndexes(db: SqliteDatabase): void {
  inTransaction(db, () => {
    dropTriggers(db)
    for (const table of ["history_fts", "treelog_gram", "treelog_row", "treelog_cwd", "treelog_change"])
      db.exec(`DROP TABLE IF EXISTS ${table}`)
    db.exec(WORDS + INDEX)
    ensureTriggers(db)
    rebuildWords(db)
    rebuildIndex(db)
  })
}
