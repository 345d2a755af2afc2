import { inTransaction, pragma, type SqliteConnection, type SqliteDatabase } from "@treelog-internal/sqlite"
import { INDEX_VERSION } from "./index-version.js"
import { USAGE_SUMS } from "./tables/usage-sums.js"
import { PART_TABLE } from "./tokens/grams.js"

/** "trli" */
const APPLICATION_ID = 0x74726c69

/**
 * - `making`: another id each time that the tables are made anew; how far row ids lie before their times (`row-ids.ts`).
 * - `source`: where sessions are from, and what decides which copy of an entry counts (`copySource`).
 * - `session`: what is known of each session, as JSON. `settled`: its `settledStat`.
 * - `entry`: the entries that have facts; `n`: their order in the session; `copies`, `usage_copies`: see `copies.ts`. The texts of an entry have the ids
 *   from `row` on in `words`, in the order of time (`row-ids.ts`). An entry of session 0 was removed: its words stay until the index is
 *   built anew, and their ids are not used again.
 * - `usage`, `file_use`: what an entry used, in the order of time (`usage-spans.ts`), and which files it touched. `above` and `tier` (a
 *   name) decide about its price, besides the model; `role`: of the part of the session that used it. `usage_sum`: see `usage-sums.ts`.
 * - `words`: the words of each text, without their positions; `words_vocabulary`: what FTS5 has in it.
 * - `neighbours`: which words of a text stand beside each other (`neighbours.ts`); `within`: whether terms match it by its characters, too.
 * - `result`: what others derived from whole sessions (`session-results.ts`).
 * - `word`: the words of all texts that terms match by their characters, each with the newest row that has it; `word_part`: their parts.
 */
const TABLES = `
CREATE TABLE making (id BLOB NOT NULL, spill INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS source (n INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, rank INTEGER NOT NULL);
CREATE TABLE session (
  n INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL, key TEXT NOT NULL, settled TEXT NOT NULL, state TEXT NOT NULL,
  UNIQUE (source, key)
);
CREATE TABLE entry (
  row INTEGER PRIMARY KEY, texts INTEGER NOT NULL, session INTEGER NOT NULL, n INTEGER NOT NULL, offset INTEGER NOT NULL,
  length INTEGER NOT NULL, digest INTEGER NOT NULL, id TEXT NOT NULL, stamp TEXT, time INTEGER NOT NULL, content INTEGER NOT NULL,
  copies INTEGER NOT NULL, usage_copies INTEGER, response INTEGER, call INTEGER
);
CREATE INDEX entry_place ON entry(session, n);
CREATE INDEX entry_time ON entry(time DESC, id);
CREATE INDEX entry_response ON entry(response) WHERE response IS NOT NULL;
CREATE INDEX entry_call ON entry(call) WHERE call IS NOT NULL;
${USAGE_SUMS}
CREATE TABLE file_use (
  session INTEGER NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, path INTEGER NOT NULL, change INTEGER NOT NULL,
  PRIMARY KEY (session, n, at)
) WITHOUT ROWID;
CREATE INDEX file_use_path ON file_use(path);
CREATE TABLE result (
  source INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, basis TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (source, key, kind)
) WITHOUT ROWID;
CREATE TABLE path (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, base TEXT NOT NULL);
CREATE INDEX path_base ON path(lower(base));
CREATE TABLE name (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE VIRTUAL TABLE words USING fts5(tokens, content='', detail=none, columnsize=0, tokenize='ascii');
CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab(words, instance);
INSERT INTO words(words, rank) VALUES ('hashsize', 16000000), ('automerge', 8);
CREATE TABLE neighbours (row INTEGER PRIMARY KEY, within INTEGER NOT NULL, filter BLOB NOT NULL);
CREATE TABLE word (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, newest INTEGER NOT NULL);
CREATE VIRTUAL TABLE word_part USING fts5(${PART_TABLE});
CREATE VIRTUAL TABLE part_vocabulary USING fts5vocab(word_part, instance);
`

const DROP = `
DROP TABLE IF EXISTS making; DROP TABLE IF EXISTS session; DROP TABLE IF EXISTS entry; DROP TABLE IF EXISTS usage; DROP TABLE IF EXISTS usage_sum;
DROP TABLE IF EXISTS usage_change; DROP TABLE IF EXISTS file_use;
DROP TABLE IF EXISTS result; DROP TABLE IF EXISTS path; DROP TABLE IF EXISTS name; DROP TABLE IF EXISTS text; DROP TABLE IF EXISTS words_vocabulary; DROP TABLE IF EXISTS words;
DROP TABLE IF EXISTS neighbours; DROP TABLE IF EXISTS part_vocabulary; DROP TABLE IF EXISTS word; DROP TABLE IF EXISTS word_part;`

/** Creates the tables, in place of those of another version. @throws an error of a damaged file */
export function ensureSchema(db: SqliteDatabase): void {
  if (isCurrent(db)) return
  inTransaction(db, () => {
    if (!isCurrent(db)) remakeTables(db)
  })
}

/** Empties the index but for its sources, in the running transaction. */
export function remakeTables(db: SqliteDatabase): void {
  db.exec(`${DROP} ${TABLES} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${INDEX_VERSION}`)
  db.exec("INSERT INTO making VALUES (randomblob(16), 0)")
}

/** @throws an error as SQLite's own, of a damaged file */
export function requireSound(connection: SqliteConnection): void {
  const answer = connection.snapshot(() => {
    // FTS5 checks what is stored against what it remembers, which only a query brings up to date.
    for (const table of ["words", "word_part"]) connection.sql(`SELECT 1 FROM ${table} WHERE ${table} MATCH 'a'`).get()
    return pragma(connection.db, "quick_check(1)")
  })
  if (answer !== "ok") throw Object.assign(new Error(String(answer)), { code: "SQLITE_CORRUPT" })
}

function isCurrent(db: SqliteDatabase): boolean {
  return pragma(db, "application_id") === APPLICATION_ID && pragma(db, "user_version") === INDEX_VERSION
}

/** Whether the file is of another program: it has tables, and neither our mark nor our table of words. */
export function isForeign(db: SqliteDatabase): boolean {
  if (pragma(db, "application_id") === APPLICATION_ID) return false
  const find = db.prepare("SELECT max(name = 'words_vocabulary') AS ours FROM sqlite_schema")
  return find.get<{ ours: number | null }>()?.ours === 0
}
