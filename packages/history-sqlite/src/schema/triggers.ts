import type { SqliteDatabase } from "@treelog-internal/sqlite"

// Triggers run in any process that writes a row, such as omp or the sqlite3 shell, so they use only SQL that every SQLite supports.
// xcsh and omp create `history_ai`, and none for deletes and updates. A change is recorded once, with the indexed values of the row,
// which are those before its first change.

const NOTED = "SELECT 1 FROM treelog_change WHERE id ="

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
  treelog_ai: `AFTER INSERT ON history BEGIN
    INSERT INTO treelog_change(id) SELECT new.id WHERE NOT EXISTS (${NOTED} new.id);
  END`,
  treelog_ad: `AFTER DELETE ON history BEGIN
    INSERT INTO treelog_change SELECT old.id, old.prompt, old.cwd WHERE NOT EXISTS (${NOTED} old.id);
  END`,
  treelog_au: `AFTER UPDATE ON history BEGIN
    INSERT INTO treelog_change SELECT old.id, old.prompt, old.cwd WHERE NOT EXISTS (${NOTED} old.id);
    INSERT INTO treelog_change(id) SELECT new.id WHERE NOT EXISTS (${NOTED} new.id);
  END`,
}

export function hasTriggers(db: SqliteDatabase): boolean {
  return missingTriggers(db).length === 0
}

/** Creates missing triggers. @returns whether any were missing */
export function ensureTriggers(db: SqliteDatabase): boolean {
  const missing = missingTriggers(db)
  for (const name of missing) db.exec(`CREATE TRIGGER ${name} ${TRIGGERS[name]}`)
  return missing.length > 0
}

/** Drops the triggers, to change many rows in a transaction and rebuild the indexes. */
export function dropTriggers(db: SqliteDatabase): void {
  for (const name of Object.keys(TRIGGERS)) db.exec(`DROP TRIGGER IF EXISTS ${name}`)
}

function missingTriggers(db: SqliteDatabase): string[] {
  const there = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all<{ name: string }>()
  const names = new Set(there.map(({ name }) => name))
  return Object.keys(TRIGGERS).filter((name) => !names.has(name))
}
