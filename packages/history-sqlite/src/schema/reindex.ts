import type { SqliteDatabase } from "@treelog-internal/sqlite"

/** Rebuilds the word index. */
export function rebuildWords(db: SqliteDatabase): void {
  db.exec("INSERT INTO history_fts(history_fts) VALUES ('rebuild')")
}

/** Empties our index, and records every row as changed, so that it is indexed again. */
export function rebuildIndex(db: SqliteDatabase): void {
  db.exec(`
    INSERT INTO treelog_gram(treelog_gram) VALUES ('delete-all');
    DELETE FROM treelog_row;
    DELETE FROM treelog_change;
    INSERT INTO treelog_change(id) SELECT id FROM history;`)
}
