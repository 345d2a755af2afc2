import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { lineOf, testStore } from "./store.js"

const QUERIES = [[{ text: "retry" }], [{ text: "重试" }], [{ text: "tryPol" }], []]

it("whatever byte of the database was changed, a search ends, and the index is whole once SQLite has checked it", async () => {
  const { storage, indexPath } = testStore(12, 12)
  const oracle = new MemorySessionIndex(storage)
  await oracle.update()
  const built = new SqliteSessionIndex({ storage, path: indexPath })
  await built.update()
  await built.close()
  const whole = readFileSync(indexPath)
  type Index = SqliteSessionIndex | MemorySessionIndex
  const textsOf = async (index: Index, terms: (typeof QUERIES)[number]): Promise<string[]> => {
    const { sessions } = await index.search({ terms, limit: 1000 })
    return sessions.flatMap(({ hits }) => hits.map(({ snippet }) => snippet.text))
  }
  const right = await Promise.all(QUERIES.map((terms) => textsOf(oracle, terms)))
  let damaged = 0
  for (let flip = 0; flip < tries(24); flip++) {
    const bytes = Buffer.from(whole)
    const at = (flip * 7919 * 13) % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8))
    writeFileSync(indexPath, bytes)
    const index = new SqliteSessionIndex({ storage, path: indexPath, onDamaged: () => damaged++ })
    for (const [at, terms] of QUERIES.entries()) {
      const before = damaged
      const found = await textsOf(index, terms)
      expect(right[at]).toEqual(expect.arrayContaining(found))
      if (damaged > before) expect(found).toHaveLength(right[at]?.length ?? 0)
    }
    await index.check()
    await index.update()
    await index.close()
  }
  expect(damaged).toBeGreaterThan(0)
})

it("a check finds no damage in an index that others go on to write", async () => {
  const { storage, indexPath, append } = testStore(2, 2)
  let damaged = 0
  const open = () => new SqliteSessionIndex({ storage, path: indexPath, onDamaged: () => damaged++ })
  const [checker, writer] = [open(), open()]
  // So many that FTS5 merges what the other one has read before.
  for (let at = 2; at < 30; at++) {
    append(0, lineOf(0, at))
    await writer.update()
    await checker.check()
  }
  expect(damaged).toBe(0)
  await Promise.all([checker.close(), writer.close()])
})

it.each([
  [
    "the options of a table of FTS5",
    "UPDATE sqlite_schema SET sql = replace(sql, 'columnsize', 'columnsiz') WHERE name = 'words'",
  ],
  ["the tokenizer", "UPDATE sqlite_schema SET sql = replace(sql, 'ascii', 'asciI8') WHERE name = 'words'"],
  ["a column", "UPDATE sqlite_schema SET sql = replace(sql, 'offset', 'offse') WHERE name = 'entry'"],
  [
    "the name of a table",
    "UPDATE sqlite_schema SET name = 'pati', sql = replace(sql, 'path', 'pati') WHERE name = 'path'",
  ],
  ["the version of FTS5's tables", "UPDATE words_config SET v = 5 WHERE k = 'version'"],
  ["the mark of the program", "PRAGMA application_id = 7"],
])("builds a new index where %s was damaged", async (_what, damage) => {
  const { storage, indexPath } = testStore(4, 8)
  const built = new SqliteSessionIndex({ storage, path: indexPath })
  await built.update()
  const whole = await built.search({ terms: [{ text: "retry" }] })
  await built.close()
  const { default: Database } = await import("better-sqlite3")
  const db = new Database(indexPath)
  db.unsafeMode()
  db.exec(`PRAGMA writable_schema = ON; ${damage}`)
  db.close()
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  await index.update()
  expect(await index.search({ terms: [{ text: "retry" }] })).toEqual(whole)
  await answersAsNew(index, storage)
  await index.close()
})

it("deletes a file that SQLite cannot read, says so, and builds a new index", async () => {
  const { storage, indexPath } = testStore(4, 8)
  const first = new SqliteSessionIndex({ storage, path: indexPath })
  await first.update()
  await first.close()
  writeFileSync(indexPath, readFileSync(indexPath).fill(0x5a, 4096))
  let damaged = 0
  const index = new SqliteSessionIndex({ storage, path: indexPath, onDamaged: () => damaged++ })
  expect((await index.update()).read).toBe(4)
  await answersAsNew(index, storage)
  expect(damaged).toBe(1)
  expect(readdirSync(dirname(indexPath)).filter((name) => name.includes("corrupt"))).toEqual([])
  await index.close()
})

it("leaves a database of something else as it is", async () => {
  const { storage, agentDir } = testStore(1, 1)
  const path = join(dirname(agentDir), "other.db")
  const { default: Database } = await import("better-sqlite3")
  const db = new Database(path)
  db.exec("CREATE TABLE songs (title TEXT)")
  db.close()
  const before = readFileSync(path)
  const index = new SqliteSessionIndex({ storage, path })
  await expect(index.update()).rejects.toMatchObject({ code: "StorageError", data: { key: path, operation: "open" } })
  await index.close()
  expect(readFileSync(path)).toEqual(before)
})

it("writes nothing beside the sessions", async () => {
  const { storage, indexPath, agentDir } = testStore(3, 4)
  const state = () =>
    readdirSync(agentDir, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => [name, statSync(join(agentDir, name)).mtimeMs])
  const before = state()
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  await index.update()
  await index.search({ terms: [{ text: "retry" }] })
  await index.close()
  expect(state()).toEqual(before)
})
