// Reports what the driver of this process does, as JSON: `node report-driver.mjs <folder> <which>`. It is the one that is chosen, or, with
// `included`, the one of the runtime.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  chooseDriver,
  type DatabaseCopy,
  includedDriver,
  inTransaction,
  openCopy,
  pragma,
  prepareToWrite,
  SqliteConnection,
  type SqliteDatabase,
  sqliteCode,
  waitForLocks,
} from "@treelog-internal/sqlite"

const [folder = "", which] = process.argv.slice(2)
const found = which === "included" ? includedDriver() : await chooseDriver()
if (found === undefined || !("open" in found)) throw new Error("There is no driver.", { cause: found?.cause })
const driver = found

const path = join(folder, "one.db")
process.env.TMPDIR = folder

/** The code with which SQLite fails. */
function codeOf(attempt: () => unknown): string | undefined {
  try {
    attempt()
  } catch (error) {
    return sqliteCode(error) ?? `no code of SQLite: ${error}`
  }
  return undefined
}

function opened(file: string): SqliteDatabase {
  const db = driver.open(file)
  waitForLocks(db)
  prepareToWrite(db)
  return db
}

function values(db: SqliteDatabase): unknown {
  const echo = db.prepare("SELECT ? AS value")
  const given = ["", "a\u0001b", "变更 🙂", 0, -1, 2 ** 40, 1.5, null]
  const blob = echo.get<{ value: Uint8Array }>(new Uint8Array([0, 255]))?.value
  return {
    echoed: given.every((value) => echo.get<{ value: unknown }>(value)?.value === value),
    blob: [...(blob ?? [])],
    none: db.prepare("SELECT 1 WHERE 0").get() === undefined,
    stored: db
      .prepare("SELECT typeof(id) AS id, typeof(number) AS number, typeof(text) AS text FROM kept LIMIT 1")
      .all<{ id: string; number: string; text: string }>()
      .map(({ id, number, text }) => [id, number, text]),
    arrays: new SqliteConnection(db, path).arrays("SELECT id AS same, number AS same, text FROM kept WHERE id < ?")(3),
  }
}

function iterations(db: SqliteDatabase): unknown {
  const ids = db.prepare("SELECT id FROM kept WHERE id < ? ORDER BY id")
  const first: number[] = []
  for (const { id } of ids.iterate<{ id: number }>(100)) {
    first.push(id)
    if (first.length === 2) break
  }
  // An iteration that was left holds no lock.
  const isFree = pragma(db, "wal_checkpoint(TRUNCATE)") === 0
  return { first, all: [...ids.iterate<{ id: number }>(100)].length, isFree }
}

function transactions(db: SqliteDatabase): unknown {
  const add = (id: number) => db.prepare("INSERT INTO kept VALUES (?, ?, ?)").run(id, id, "more")
  const count = () => db.prepare("SELECT count(*) AS count FROM kept").get<{ count: number }>()?.count
  const failed = codeOf(() =>
    inTransaction(db, () => {
      add(50)
      add(1)
    }),
  )
  const other = opened(path)
  const locked = inTransaction(other, () => codeOf(() => inTransaction(db, () => add(51))))
  other.close()
  return { failed, locked, count: count() }
}

function faults(db: SqliteDatabase): unknown {
  const bad = join(folder, "bad.db")
  writeFileSync(bad, "no database ".repeat(200))
  const corrupt = join(folder, "corrupt.db")
  writeCorrupt(corrupt)
  return {
    syntax: codeOf(() => db.prepare("SELEC")),
    match: codeOf(() => db.prepare("SELECT rowid FROM words WHERE words MATCH ?").all('"')),
    notADatabase: codeOf(() => opened(bad)),
    aFolder: codeOf(() => opened(folder)),
    corrupt: codeOf(() => driver.open(corrupt).prepare("SELECT count(*) FROM kept WHERE text > 'x'").get()),
    full: codeOf(() => fill(join(folder, "full.db"))),
    readOnly: codeOf(() => {
      db.exec("PRAGMA query_only = ON")
      db.exec("DELETE FROM kept")
    }),
  }
}

function fill(file: string): void {
  const db = opened(file)
  db.exec("CREATE TABLE kept (text TEXT); PRAGMA max_page_count = 8")
  inTransaction(db, () => {
    for (;;) db.prepare("INSERT INTO kept VALUES (?)").run("x".repeat(4000))
  })
}

/** Its pages after the first are not SQLite's. */
function writeCorrupt(file: string): void {
  const db = driver.open(file)
  db.exec("CREATE TABLE kept (text TEXT)")
  inTransaction(db, () => {
    for (let at = 0; at < 50; at++) db.prepare("INSERT INTO kept VALUES (?)").run("x".repeat(1000))
  })
  const pageSize = Number(pragma(db, "page_size"))
  db.close()
  writeFileSync(file, readFileSync(file).fill(0x5a, pageSize))
}

/** A copy of the closed database, and what it leaves in the folder of temporary files. */
function copies(): unknown {
  const before = readdirSync(folder).length
  const { db: copy } = openCopy(driver, path) as DatabaseCopy
  const count = copy.prepare("SELECT count(*) AS count FROM kept").get<{ count: number }>()?.count
  const words = copy.prepare("SELECT rowid FROM words WHERE words MATCH ?").all('"ogi"').length
  copy.close()
  return { count, words, left: readdirSync(folder).length - before }
}

const db = opened(path)
db.exec(`CREATE TABLE kept (id INTEGER PRIMARY KEY, number INTEGER, text TEXT);
  CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='trigram');
  INSERT INTO words(rowid, text) VALUES (1, 'relogin'), (2, 'other')`)
for (let id = 1; id <= 5; id++) db.prepare("INSERT INTO kept VALUES (?, ?, ?)").run(id, 2 ** 33, "text")
db.prepare("DELETE FROM words WHERE rowid = ?").run(2)
const report: Record<string, unknown> = {
  name: driver.name,
  values: values(db),
  iterations: iterations(db),
  transactions: transactions(db),
  words: db.prepare("SELECT rowid FROM words WHERE words MATCH ?").all('"ogi"').length,
}
Object.assign(report, { faults: faults(db) })
const hadLog = existsSync(`${path}-wal`)
db.close()
report.log = [hadLog, existsSync(`${path}-wal`)]
report.copies = copies()
console.log(JSON.stringify(report))
