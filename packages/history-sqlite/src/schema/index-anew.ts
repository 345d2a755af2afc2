import type { SqliteDatabase } from "../driver/sqlite-driver.js"

/** Forgets the indexes, and notes every row as one to index. */
export function indexAnew(db: SqliteDatabase): void {
  db.exec(`
    INSERT INTO history_fts(history_fts) VALUES ('rebuild');
    INSERT INTO treelog_gram(treelog_gram) VALUES ('delete-all');
    DELETE FROM treelog_row;
    DELETE FROM treelog_change;
    INSERT INTO treelog_change(id) SELECT id FROM history;`)
}
