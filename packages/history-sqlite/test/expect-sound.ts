import Database from "better-sqlite3"
import { expect } from "vitest"

/** Asserts that SQLite finds no fault in the file, and FTS5 none in the index of words, which fits the prompts. */
export function expectSound(path: string): void {
  const db = new Database(path)
  try {
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok")
    db.exec("INSERT INTO history_fts(history_fts, rank) VALUES ('integrity-check', 1)")
  } finally {
    db.close()
  }
}
