import { mkdtempSync, rmSync } from "node:fs"
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

test("rows have limits, and large integers are numbers", async () => {
  const path = written(`CREATE TABLE part (size, data);
    INSERT INTO part VALUES (9223372036854775807, zeroblob(150000000)), (1, CAST(zeroblob(5) AS TEXT))`)
  await expect(read(path, (db) => db.prepare("SELECT * FROM part").all())).rejects.toThrow(
    /a row has more than \d+ bytes/,
  )
  expect(await read(path, (db) => db.prepare("SELECT size FROM part ORDER BY size").all())).toEqual([
    { size: 1 },
    { size: 2 ** 63 },
  ])
  const many = written(`CREATE TABLE part (data); INSERT INTO part VALUES (zeroblob(100000000))`)
  const all = (db: SqliteDatabase) =>
    db.prepare("SELECT data FROM part JOIN (VALUES (1), (2), (3), (4), (5), (6))").all()
  await expect(read(many, all)).rejects.toThrow(/what is asked for has more than \d+ bytes/)
})

test("a database is read between the transactions of a writer that never rests", async () => {
  const path = written("PRAGMA journal_mode = DELETE; CREATE TABLE session (text)")
  const writer = driver.open(path)
  onTestFinished(() => void writer.close())
  for (let count = 1; count <= 20; count++) {
    writer.exec("INSERT INTO session VALUES ('hello')")
    const found = await read(path, (db) => db.prepare("SELECT count(*) AS count FROM session").get())
    expect(found).toEqual({ count })
  }
})
