// The SQL of our schema. Whatever begins with `treelog_` is ours; the rest has the names of xcsh and omp, so that
// they can go on using a file that we opened.

/** As the first to create it would: omp's, but for the UNIQUE, which would lose where else a prompt was given. */
export const HISTORY = `
CREATE TABLE IF NOT EXISTS history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)),
  cwd TEXT,
  session_id TEXT
);`

/** `(session_id, created_at)` also tells whether an imported prompt is stored already. */
export const HISTORY_INDEXES = `
CREATE INDEX IF NOT EXISTS idx_history_created_at ON history(created_at DESC);
CREATE INDEX IF NOT EXISTS treelog_history_session ON history(session_id, created_at);`

/** The index of words that xcsh and omp search. It holds no text of its own. */
export const WORDS = `
CREATE VIRTUAL TABLE IF NOT EXISTS history_fts USING fts5(prompt, content='history', content_rowid='id');
INSERT INTO history_fts(history_fts, rank) VALUES ('secure-delete', 1);`

/** Every ASCII character that a term may consist of. All others are characters of tokens anyway. */
const PUNCTUATION = "!\"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~".replaceAll('"', '""')

/**
 * Our index (see ../indexing/README.md).
 * - `treelog_row`: the place of each row of `history` in the order of time. A head is the newest of its prompt and cwd.
 * - `treelog_gram`: of each head, under its position, the sequences of three characters; `prefix` adds those of one and
 *   two. It collects entries in more memory than FTS5 would (`hashsize`, bytes), since most come by the thousand.
 * - `treelog_change`: the rows that changed since they were indexed, with what the index still says of them.
 */
export const INDEX = `
CREATE TABLE treelog_row (
  id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, position INTEGER NOT NULL, head INTEGER NOT NULL
);
CREATE INDEX treelog_row_hash ON treelog_row(hash, head);
CREATE UNIQUE INDEX treelog_row_head ON treelog_row(position) WHERE head = 1;
CREATE TABLE treelog_cwd (id INTEGER PRIMARY KEY, cwd TEXT NOT NULL UNIQUE);
CREATE TABLE treelog_change (id INTEGER PRIMARY KEY, prompt TEXT, cwd TEXT);
CREATE VIRTUAL TABLE treelog_gram USING fts5(
  grams, content='', detail=none, columnsize=0, prefix='1 2', tokenize="ascii tokenchars '${PUNCTUATION}'"
);
INSERT INTO treelog_gram(treelog_gram, rank) VALUES ('hashsize', 8000000), ('secure-delete', 1);`

/**
 * What an import must not bring back: hashes of keys (session-core's `tombstonesFor`), salted for this file, and
 * when.
 */
export const DELETED = `
CREATE TABLE treelog_deleted (key BLOB PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE treelog_salt (salt BLOB NOT NULL);
INSERT INTO treelog_salt VALUES (randomblob(16));`

/**
 * A row for each deletion of which something may be left in the files. Where a process is killed before it has erased
 * that, the next one to open the file does so.
 */
export const ERASING = "CREATE TABLE IF NOT EXISTS treelog_erasing (id INTEGER PRIMARY KEY)"
