import { createRequire } from "node:module"
import { join } from "node:path"
import type { ImportedPrompt, SqliteDatabase, SqlitePromptHistory } from "@treelog/history-sqlite"

/** The database of prompts of a case, made by treelog. */
export function historyIn(folder: string): string {
  return join(folder, "history.db")
}

/** Nothing generated is a secret, and no peer looks for any. */
export async function loadHistory(path: string, access: "write" | "read" = "write"): Promise<SqlitePromptHistory> {
  const { SqlitePromptHistory } = await import("@treelog/history-sqlite")
  return new SqlitePromptHistory({ path, access, ignore: { secrets: false } })
}

/** The very SQLite that treelog uses, without treelog. */
export function loadSqlite(path: string): SqliteDatabase {
  const { resolve } = createRequire(import.meta.url)
  const Database: new (path: string) => SqliteDatabase = createRequire(resolve("@treelog/history-sqlite/package.json"))(
    "better-sqlite3",
  )
  return new Database(path)
}

/** Prompts that are stored in one transaction. */
const BATCH = 2_000

/**
 * Imports with the schema that one would write first: a table, its index, and an FTS5 index of words that a trigger keeps; where
 * it is asked for, one of FTS5's own trigrams beside it.
 */
export function importPlainly(path: string, prompts: readonly ImportedPrompt[], withTrigrams: boolean): number {
  const db = loadSqlite(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -131072;
    CREATE TABLE history (id INTEGER PRIMARY KEY, prompt TEXT NOT NULL, created_at INTEGER NOT NULL, cwd TEXT, session_id TEXT);
    CREATE INDEX history_created_at ON history(created_at DESC);`)
  for (const [name, tokenizer] of [["words", "unicode61"], ...(withTrigrams ? [["trigrams", "trigram"]] : [])])
    db.exec(`
      CREATE VIRTUAL TABLE ${name} USING fts5(prompt, content='history', content_rowid='id', tokenize='${tokenizer}');
      CREATE TRIGGER ${name}_ai AFTER INSERT ON history BEGIN
        INSERT INTO ${name}(rowid, prompt) VALUES (new.id, new.prompt);
      END;`)
  const insert = db.prepare("INSERT INTO history(prompt, created_at, cwd, session_id) VALUES (?, ?, ?, ?)")
  for (let from = 0; from < prompts.length; from += BATCH) {
    db.exec("BEGIN")
    for (const { text, createdAt, cwd, sessionId } of prompts.slice(from, from + BATCH))
      insert.run(text, Math.floor(createdAt / 1_000), cwd ?? null, sessionId ?? null)
    db.exec("COMMIT")
  }
  const stored = db.prepare("SELECT count(*) AS stored FROM history").get<{ stored: number }>()?.stored ?? 0
  db.close()
  return stored
}

/** A search of the index of words that xcsh and omp keep, in the order of the time. */
export function matchByTime(path: string): (query: string, limit: number) => number {
  const found = loadSqlite(path).prepare(`
    SELECT history.* FROM history_fts JOIN history ON history.id = history_fts.rowid
    WHERE history_fts MATCH ? ORDER BY created_at DESC LIMIT ?`)
  const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"*`
  return (query, limit) => found.all(query.trim().split(" ").map(quoted).join(" "), limit).length
}

/** A search by LIKE, which scans all rows, newest first, and also finds the middle of words. */
export function likeByTime(path: string): (query: string, limit: number) => number {
  const found = loadSqlite(path).prepare(
    "SELECT * FROM history WHERE prompt LIKE ? ESCAPE '\\' ORDER BY created_at DESC LIMIT ?",
  )
  return (query, limit) => found.all(`%${query.replace(/[\\%_]/g, "\\$&")}%`, limit).length
}
