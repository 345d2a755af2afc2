// The SQL of our schema. Names that start with `treelog_` are ours; the others are those of xcsh and omp, so that they can continue to
// use the file.

/** The table of omp, without its UNIQUE, which would keep only one folder of a prompt. */
export const HISTORY = `
CREATE TABLE IF NOT EXISTS history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)),
  cwd TEXT,
  session_id TEXT
);`

/** `(session_id, created_at)` is also used to check whether an imported prompt is stored already. */
export const HISTORY_INDEXES = `
CREATE INDEX IF NOT EXISTS idx_history_created_at ON history(created_at DESC);
CREATE INDEX IF NOT EXISTS treelog_history_session ON history(session_id, created_at);`

/** The word index that xcsh and omp search. An external content table, without its own copy of the texts. */
export const WORDS = `
CREATE VIRTUAL TABLE IF NOT EXISTS history_fts USING fts5(prompt, content='history', content_rowid='id');
INSERT INTO history_fts(history_fts, rank) VALUES ('secure-delete', 1);`

/**
 * Tombstones, which an import must not restore: hashes of keys (`tombstonesFor`), salted per file, with the time of the
 * deletion.
 */
export const DELETED = `
CREATE TABLE treelog_deleted (key BLOB PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE treelog_salt (salt BLOB NOT NULL);
INSERT INTO treelog_salt VALUES (randomblob(16));`

/**
 * A row for each deletion that may not be erased from the files completely. If a process is killed before it has done that, the next
 * one that opens the file does it.
 */
export const ERASING = "CREATE TABLE IF NOT EXISTS treelog_erasing (id INTEGER PRIMARY KEY)"
