import type { SqliteDatabase } from "../driver/sqlite-driver.js"

/** Makes the index of words anew. */
export function rebuildWords(db: SqliteDatabase): void {
  db.exec("INSERT INTO history_fts(history_fts) VALUES ('rebuild')")
}

/** Empties our own index, and notes every row as one to index. */
export function rebuildIndex(db: SqliteDatabase): void {
  db.exec(`
    INSERT INTO treelog_gram(treelog_gram) VALUES ('delete-all');
    DELETE FROM treelog_row;
    DELETE FROM treelog_change;
    INSERT INTO treelog_change(id) SELECT id FROM history;`)
}
