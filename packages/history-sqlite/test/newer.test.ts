import { readFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const START = Date.UTC(2026, 2, 7)

it.each([
  ["ours", "PRAGMA user_version = 99"],
  ["omp's", "PRAGMA application_id = 0; PRAGMA user_version = 2"],
])("opens a file of a newer schema for reading only: %s", async (_, change) => {
  const path = join(tempFolder(), "history.db")
  const first = openHistory(path)
  await first.import(
    ["one 构建", "two", "one 构建"].map((text, at) => ({ text, createdAt: START + at * 1000, cwd: `/${at}` })),
  )
  await first.close()
  const db = new Database(path)
  db.exec(`${change}; ALTER TABLE history ADD COLUMN mood TEXT; PRAGMA wal_checkpoint(TRUNCATE)`)
  db.close()
  const before = readFileSync(path)
  const history = openHistory(path)
  expect(await textsOf(history.recent())).toEqual(["one 构建", "two"])
  expect(await textsOf(history.search("构 ON"))).toEqual(["one 构建"])
  expect(await textsOf(history.search("o", { scope: { kind: "cwd", cwd: "/1" } }))).toEqual(["two"])
  expect(await history.stats()).toMatchObject({ stored: 3, folders: 3 })
  history.add("new")
  const refused = { code: "UnsupportedVersionError", data: { key: path } }
  await expect(history.flush()).rejects.toMatchObject(refused)
  await expect(history.delete({ query: "two" })).rejects.toMatchObject(refused)
  await expect(history.import([])).rejects.toMatchObject(refused)
  expect(await textsOf(history.search("two"))).toEqual(["two"])
  await expect(history.close()).rejects.toMatchObject(refused)
  expect(readFileSync(path)).toEqual(before)
})
