import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chooseDriver, ForeignDatabase, type SqliteDatabase, type SqliteDriver } from "@treelog-internal/sqlite"
import { expect, onTestFinished, test } from "vitest"

const driver = (await chooseDriver()) as SqliteDriver

/** A database that another program wrote. */
function written(sql: string) {
  const folder = mkdtempSync(join(tmpdir(), "treelog-foreign-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, "sessions.db")
  const db = driver.open(path)
  db.exec(sql)
  db.close()
  return path
}

function read<Result>(path: string, query: (db: SqliteDatabase) => Result): Promise<Result | undefined> {
  return new ForeignDatabase(path, async () => driver).read(query)
}

const ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0"

test.each([
  ["a view", `CREATE VIEW session AS ${ENDLESS}`, "session is a view or a virtual table"],
  ["a virtual table", "CREATE VIRTUAL TABLE session USING fts5(text)", "session is a view or a virtual table"],
  [
    "a column that is computed",
    "CREATE TABLE session (n, text GENERATED ALWAYS AS (hex(zeroblob(n)))); INSERT INTO session VALUES (100000000)",
    "the column text of session is computed",
  ],
])("%s in the place of a table is named, and not read", async (_, sql, why) => {
  const path = written(sql)
  for (const query of ["SELECT * FROM session", "SELECT 1 FROM (SELECT 2) JOIN session", 'SELECT * FROM "session"'])
    await expect(read(path, (db) => db.prepare(query).get())).rejects.toThrow(why)
})

test("what is beside the tables that a query names is left alone", async () => {
  const path =
    written(`CREATE TABLE session (text, size AS (1) STORED); INSERT INTO session VALUES ('hello'); CREATE VIEW other AS ${ENDLESS};
    CREATE TRIGGER added AFTER INSERT ON session BEGIN SELECT x FROM other; END; CREATE VIRTUAL TABLE words USING fts5(text)`)
  expect(await read(path, (db) => db.prepare("SELECT * FROM session").all())).toEqual([{ text: "hello", size: 1 }])
})

test("a journal that names another file is not given to SQLite, which would delete that", async () => {
  const path = written("CREATE TABLE session (text)")
  const other = `${path}.other`
  writeFileSync(other, "precious")
  const [magic, page, sector] = [Buffer.from("d9d505f920a163d7", "hex"), 4096, 512]
  const numbers = (...all: number[]) =>
    Buffer.concat(
      all.map((number) => Buffer.of(number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255)),
    )
  const head = Buffer.alloc(sector)
  Buffer.concat([magic, numbers(0, 7, statSync(path).size / page, sector, page)]).copy(head)
  const name = Buffer.from(other)
  const sum = name.reduce((all, byte) => all + byte, 0)
  const named = Buffer.concat([numbers(0x40000000 / page + 1), name, numbers(name.length, sum), magic])
  writeFileSync(`${path}-journal`, Buffer.concat([head, named]))
  await expect(read(path, (db) => db.prepare("SELECT * FROM session").all())).rejects.toThrow(
    "its journal names another file",
  )
  expect(existsSync(other)).toBe(true)
})

test.skipIf(process.platform === "win32")("what is no file is named, also beside the database", async () => {
  const path = written("CREATE TABLE session (text)")
  execFileSync("mkfifo", [`${path}-wal`, `${path}.pipe`])
  mkdirSync(`${path}.folder`)
  const query = (db: SqliteDatabase) => db.prepare("SELECT 1").get()
  await expect(read(path, query)).rejects.toThrow("sessions.db-wal is not a database but a pipe")
  await expect(read(`${path}.pipe`, query)).rejects.toThrow("is not a database but a pipe")
  await expect(read(`${path}.folder`, query)).rejects.toThrow("is not a database but a folder")
})

test("where there is no database, or an empty file, SQLite is not loaded", async () => {
  const path = written("CREATE TABLE session (text)")
  writeFileSync(`${path}.empty`, "")
  const load = async () => {
    throw new Error("loaded")
  }
  for (const missing of [`${path}.none`, `${path}.empty`])
    expect(await new ForeignDatabase(missing, load).read(() => "read")).toBe(undefined)
  await expect(new ForeignDatabase(path, load).read(() => "read")).rejects.toThrow("loaded")
})
