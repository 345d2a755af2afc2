import type { SqliteDatabase } from "@treelog-internal/sqlite"

// Triggers run in any process that writes a row, such as omp or the sqlite3 shell, so they use only SQL that every SQLite supports.
// xcsh and omp create `history_ai`, and none for deletes and updates.

const TRIGGERS: Readonly<Record<string, string>> = {
  history_ai: `AFTER INSERT ON history BEGIN
    INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
  END`,
  history_ad: `AFTER DELETE ON history BEGIN
    INSERT INTO history_fts(history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
  END`,
  history_au: `AFTER UPDATE OF id, prompt ON history BEGIN
    INSERT INTO history_fts(history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
    INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
  END`,
}

export function hasTriggers(db: SqliteDatabase): boolean {
  return missingTriggers(db).length === 0
}

/** Creates missing triggers. */
export function ensureTriggers(db: SqliteDatabase): void {
  for (const name of missingTriggers(db)) db.exec(`CREATE TRIGGER ${name} ${TRIGGERS[name]}`)
}

/** Drops the triggers, to change many rows in a transaction and rebuild the index. */
export function dropTriggers(db: SqliteDatabase): void {
  for (const name of Object.keys(TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`)
}

function missingTriggers(db: SqliteDatabase): string[] {
  const there = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all<{ name: string }>()
  const names = new Set(there.map(({ name }) => name))
  return Object.keys(TRIGGERS).filter((name) => !names.has(name))
}
