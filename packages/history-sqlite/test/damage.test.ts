import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import Database from "better-sqlite3"
import { expect, it } from "vitest"
import { expectSound } from "./expect-sound.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const NOW = Date.UTC(2026, 2, 7)
const clock = { now: () => NOW }

it("sets a file aside that is no database, and makes a fresh one", async () => {
  const path = join(tempFolder(), "history.db")
  writeFileSync(path, "this is no database ".repeat(1000))
  const aside: string[] = []
  const history = openHistory(path, { clock, onQuarantine: (to) => aside.push(to) })
  history.add("one")
  expect(await textsOf(history.recent())).toEqual(["one"])
  expect(aside).toEqual([`${path}.corrupt-2026-03-07T00-00-00-000Z`])
  expect(readFileSync(aside[0] ?? "", "utf8")).toBe("this is no database ".repeat(1000))
  await history.close()
  expectSound(path)
})

it("loses no prompt that comes when the file is found damaged in the midst of things", async () => {
  const path = join(tempFolder(), "history.db")
  const first = openHistory(path)
  await first.import(Array.from({ length: 3000 }, (_, at) => ({ text: `prompt ${at}`, createdAt: at * 1e6 })))
  await first.close()
  const bytes = readFileSync(path)
  bytes.fill(0x5a, 8192)
  writeFileSync(path, bytes)
  const history = openHistory(path, { clock })
  history.add("new")
  await history.flush()
  expect(await textsOf(history.recent())).toEqual(["new"])
  expect(readdirSync(dirname(path))).toContain(`${basename(path)}.corrupt-2026-03-07T00-00-00-000Z`)
  await history.close()
  expectSound(path)
})

it("makes the index of words anew where that alone is damaged", async () => {
  const path = join(tempFolder(), "history.db")
  const first = openHistory(path)
  await first.import(Array.from({ length: 50 }, (_, at) => ({ text: `prompt ${at}`, createdAt: at * 1e6 })))
  await first.close()
  const db = new Database(path)
  db.unsafeMode()
  db.exec("UPDATE history_fts_data SET block = zeroblob(40) WHERE id > 10")
  db.close()
  const history = openHistory(path)
  history.add("prompt of now")
  await history.delete({ query: "prompt 7" })
  expect(await textsOf(history.search("prompt", { limit: 2 }))).toEqual(["prompt of now", "prompt 49"])
  expect(await history.stats()).toMatchObject({ stored: 46 })
  await history.close()
  expect(readdirSync(dirname(path)).filter((name) => name.includes("corrupt"))).toEqual([])
  expectSound(path)
})

it("refuses a database of something else, and leaves it as it is", async () => {
  const path = join(tempFolder(), "history.db")
  const db = new Database(path)
  db.exec("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('one')")
  const tables = () => db.prepare("SELECT name FROM sqlite_schema").all()
  const history = openHistory(path)
  await expect(history.recent()).rejects.toMatchObject({ code: "StorageError", data: { key: path, operation: "open" } })
  expect(tables()).toEqual([{ name: "songs" }])
  db.close()
})

it("says what is wrong where there can be no file", async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, "file"), "")
  const history = openHistory(join(folder, "file", "history.db"))
  history.add("one")
  await expect(history.flush()).rejects.toMatchObject({ code: "StorageError", data: { errno: "EEXIST" } })
  const inFolder = openHistory(folder)
  await expect(inFolder.recent()).rejects.toMatchObject({ code: "StorageError", data: { errno: "EISDIR" } })
})
