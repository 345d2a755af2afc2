import Database from "better-sqlite3"
import { expect } from "vitest"

/**
 * Asserts that SQLite finds no fault in the file, nor FTS5 in its indexes, of which the one of words fits the
 * prompts.
 */
export function expectSound(path: string): void {
  const db = new Database(path)
  try {
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok")
    db.exec("INSERT INTO history_fts(history_fts, rank) VALUES ('integrity-check', 1)")
    const index = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'treelog_gram'").get()
    if (index !== undefined) db.exec("INSERT INTO treelog_gram(treelog_gram) VALUES ('integrity-check')")
  } finally {
    db.close()
  }
}
