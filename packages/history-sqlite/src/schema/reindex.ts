import { inTransaction, type SqliteDatabase } from "@treelog-internal/sqlite"
import { WORDS } from "./tables.js"
import { dropTriggers, ensureTriggers } from "./triggers.js"

/** Fills the word index with the rows. */
export function rebuildWords(db: SqliteDatabase): void {
  db.exec("INSERT INTO history_fts(history_fts) VALUES ('rebuild')")
}

/** Drops a damaged word index, and makes it again from the rows. */
export function replaceWords(db: SqliteDatabase): void {
  inTransaction(db, () => {
    dropTriggers(db)
    db.exec(`DROP TABLE IF EXISTS history_fts; ${WORDS}`)
    ensureTriggers(db)
    rebuildWords(db)
  })
}
