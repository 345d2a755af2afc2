import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type SqliteConnection as Connection,
  chooseDriver,
  DatabaseFile,
  prepareToWrite,
  SqliteConnection,
  type SqliteDriver,
  waitForLocks,
} from "@treelog-internal/sqlite"
import { expect, onTestFinished, test } from "vitest"

const NOW = Date.UTC(2026, 2, 7)
const ASIDE = "kept.db.corrupt-2026-03-07T00-00-00-000Z"

async function loadDriver(): Promise<SqliteDriver> {
  const driver = await chooseDriver()
  if (!("open" in driver)) throw new Error(driver.needs)
  return driver
}

function openTable(driver: SqliteDriver, path: string): Connection {
  const db = driver.open(path)
  try {
    waitForLocks(db)
    prepareToWrite(db)
    db.exec("CREATE TABLE IF NOT EXISTS kept (text TEXT)")
    return new SqliteConnection(db, path)
  } catch (error) {
    db.close()
    throw error
  }
}

/** One that refuses to close a database twice, as `node:sqlite` does. */
async function loadStrictDriver(): Promise<SqliteDriver> {
  const driver = await loadDriver()
  const open: SqliteDriver["open"] = (...args) => {
    const db = driver.open(...args)
    const close = db.close.bind(db)
    let isOpen = true
    db.close = () => {
      if (!isOpen) throw new Error("database is not open")
      isOpen = false
      return close()
    }
    return db
  }
  return { ...driver, open }
}

function scene(options: { settle?: () => Promise<void>; repair?: () => Promise<boolean> } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "treelog-sqlite-test-"))
  const aside: string[] = []
  const path = join(folder, "kept.db")
  const file = new DatabaseFile({
    path,
    what: "The table",
    loadDriver: loadStrictDriver,
    open: openTable,
    settle: options.settle ?? (async () => {}),
    repair: options.repair ?? (async () => false),
    closed: () => new Error("closed"),
    now: () => NOW,
    onQuarantine: (to) => aside.push(to),
  })
  onTestFinished(async () => {
    await file.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, path, file, aside }
}

const add = (text: string) => (connection: Connection) => connection.sql("INSERT INTO kept VALUES (?)").run(text)
const texts = (connection: Connection) =>
  connection
    .sql("SELECT text FROM kept")
    .all<{ text: string }>()
    .map((row) => row.text)

const faultOfIndex = () => Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT_VTAB" })

test("nothing is there before the first use, and nothing is opened after the end", async () => {
  const { folder, file } = scene()
  expect(readdirSync(folder)).toEqual([])
  await file.use("add", add("one"))
  expect(await file.use("read", texts)).toEqual(["one"])
  await file.close()
  expect(readdirSync(folder)).toEqual(["kept.db"])
  await expect(file.use("read", texts)).rejects.toThrow("closed")
})

test("a file that SQLite cannot read is renamed, and work that several callers wait for is done in a new one", async () => {
  const { folder, path, file, aside } = scene()
  writeFileSync(path, "no database ".repeat(500))
  await Promise.all(["one", "two", "three"].map((text) => file.use("add", add(text))))
  expect((await file.use("read", texts)).sort()).toEqual(["one", "three", "two"])
  expect(aside).toEqual([join(folder, ASIDE)])
  expect(readFileSync(join(folder, ASIDE), "utf8")).toBe("no database ".repeat(500))
})

test("a damaged index is repaired in place", async () => {
  let repaired = 0
  const { folder, file, aside } = scene({ repair: async () => ++repaired > 0 })
  await file.use("add", add("one"))
  let calls = 0
  const found = await file.use("read", (connection) => {
    if (calls++ === 0) throw faultOfIndex()
    return texts(connection)
  })
  expect([found, repaired, aside, readdirSync(folder).includes(ASIDE)]).toEqual([["one"], 1, [], false])
})

test("so is one that is found when the file is opened", async () => {
  let repaired = 0
  const settle = async () => {
    if (repaired === 0) throw faultOfIndex()
  }
  const { file, aside } = scene({ settle, repair: async () => ++repaired > 0 })
  await file.use("add", add("one"))
  expect([repaired, aside]).toEqual([1, []])
})

test("a file whose index cannot be repaired is renamed", async () => {
  const { folder, file, aside } = scene({
    repair: async () => {
      throw Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" })
    },
  })
  await file.use("add", add("one"))
  let calls = 0
  const found = await file.use("read", (connection) => {
    if (calls++ === 0) throw faultOfIndex()
    return texts(connection)
  })
  expect([found, aside]).toEqual([[], [join(folder, ASIDE)]])
})

test("other faults are reported with the database and the operation", async () => {
  const { file, path, aside } = scene()
  const full = () => {
    throw Object.assign(new Error("disk full"), { code: "SQLITE_FULL" })
  }
  await expect(file.use("add", full)).rejects.toMatchObject({
    code: "StorageError",
    message: `The table ${path} cannot be used (add): disk full`,
    data: { key: path, operation: "add", errno: "SQLITE_FULL" },
  })
  expect(aside).toEqual([])
})

test("closes the database once, however often it is closed at a time", async () => {
  const { file } = scene()
  await file.use("write", add("kept"))
  await Promise.all([file.close(), file.close()])
  await file.close()
  await expect(file.use("read", texts)).rejects.toThrow("closed")
})
