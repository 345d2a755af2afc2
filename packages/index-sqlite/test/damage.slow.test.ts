import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { lineOf, testStore } from "./store.js"

const NOW = Date.UTC(2026, 2, 7)
const QUERIES = [[{ text: "retry" }], [{ text: "重试" }], [{ text: "tryPol" }], []]

it("shows no wrong hit whatever byte of the database was changed, and verify notices what search did not and lost", async () => {
  const { storage, indexPath } = testStore(12, 12)
  const oracle = new MemorySessionIndex(storage)
  await oracle.update()
  const built = new SqliteSessionIndex({ storage, path: indexPath })
  await built.update()
  await built.close()
  const whole = readFileSync(indexPath)
  type Index = SqliteSessionIndex | MemorySessionIndex
  const hitsOf = async (index: Index, terms: (typeof QUERIES)[number]): Promise<string[]> => {
    const { sessions } = await index.search({ terms, limit: 1000 })
    return sessions.flatMap(({ session, hits }) => hits.map((hit) => JSON.stringify([session, hit])))
  }
  const right = await Promise.all(QUERIES.map((terms) => hitsOf(oracle, terms)))
  let quarantined = 0
  for (let flip = 0; flip < tries(24); flip++) {
    const bytes = Buffer.from(whole)
    const at = (flip * 7919 * 13) % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8))
    writeFileSync(indexPath, bytes)
    const index = new SqliteSessionIndex({
      storage,
      path: indexPath,
      clock: { now: () => NOW },
      onQuarantine: () => quarantined++,
    })
    const atFirst = quarantined
    let lost = 0
    for (const [at, terms] of QUERIES.entries()) {
      const before = quarantined
      const found = await hitsOf(index, terms)
      expect(right[at]).toEqual(expect.arrayContaining(found))
      if (quarantined > before) expect(found).toHaveLength(right[at]?.length ?? 0)
      lost += (right[at]?.length ?? 0) - found.length
    }
    if (lost > 0 && quarantined === atFirst) expect(await index.verify(), `byte ${at}`).not.toEqual([])
    await index.close()
  }
  expect(quarantined).toBeGreaterThan(0)
})

it.each([
  "UPDATE words_data SET block = CAST(substr(block, 1, 40) || X'01' || substr(block, 42) AS BLOB) WHERE length(block) > 400",
  "DELETE FROM words_data WHERE id = (SELECT max(id) FROM words_data)",
  "UPDATE word_part_data SET block = CAST(substr(block, 1, 40) || X'01' || substr(block, 42) AS BLOB) WHERE length(block) > 400",
  "UPDATE word SET newest = newest + 1 WHERE text = 'retry'",
  "UPDATE word SET text = 'rety' WHERE text = 'retry'",
  "UPDATE entry SET row = row - 1 WHERE row = (SELECT min(row) FROM entry)",
  "UPDATE entry SET texts = texts + 1 WHERE n = 2",
  "UPDATE entry SET time = time + 1 WHERE n = 2",
  "UPDATE entry SET copies = 2 WHERE copies <> 2",
  "UPDATE usage SET cost = cost + 1",
  "UPDATE usage SET copies = 1 - copies",
  "DELETE FROM usage",
  "UPDATE usage_sum SET cost = cost + 1",
  "DELETE FROM usage_sum",
  "UPDATE name SET text = text || 'x'",
  "UPDATE path SET base = 'other.ts'",
  "UPDATE path SET text = text || 'x'",
  "DELETE FROM file_use",
  "UPDATE word SET text = CAST(text AS BLOB) WHERE text = 'retry'",
  "UPDATE entry SET id = CAST(id AS BLOB) WHERE n = 2",
  "UPDATE file_use SET change = 1 - change",
])("verify notices %s", async (damage) => {
  const { storage, indexPath } = testStore(12, 12)
  const built = new SqliteSessionIndex({ storage, path: indexPath })
  await built.update()
  expect(await built.verify()).toEqual([])
  await built.close()
  const { default: Database } = await import("better-sqlite3")
  const db = new Database(indexPath)
  db.unsafeMode()
  expect(db.prepare(damage).run()).toMatchObject({ changes: expect.toSatisfy((changes) => changes > 0) })
  db.close()
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  expect(await index.verify()).not.toEqual([])
  await index.update()
  await index.close()
})

it("verify finds no damage in an index that others go on to write", async () => {
  const { storage, indexPath, append } = testStore(2, 2)
  let isSetAside = false
  const onQuarantine = () => {
    isSetAside = true
  }
  const open = () => new SqliteSessionIndex({ storage, path: indexPath, onQuarantine })
  const [verifier, writer] = [open(), open()]
  // So many that FTS5 merges what the verifier has read before.
  for (let at = 2; at < 30; at++) {
    append(0, lineOf(0, at))
    await writer.update()
    expect(await verifier.verify()).toEqual([])
  }
  expect(isSetAside).toBe(false)
  await Promise.all([verifier.close(), writer.close()])
})

it.each([
  [
    "the options of a table of FTS5",
    "UPDATE sqlite_schema SET sql = replace(sql, 'columnsize', 'columnsiz') WHERE name = 'words'",
  ],
  ["the tokenizer", "UPDATE sqlite_schema SET sql = replace(sql, 'ascii', 'asciI8') WHERE name = 'words'"],
  ["a column", "UPDATE sqlite_schema SET sql = replace(sql, 'offset', 'offse') WHERE name = 'entry'"],
  [
    "a column of what says how the tables were made",
    "UPDATE sqlite_schema SET sql = replace(sql, 'schema', 'schem') WHERE name = 'making'",
  ],
  [
    "the name of a table",
    "UPDATE sqlite_schema SET name = 'pati', sql = replace(sql, 'path', 'pati') WHERE name = 'path'",
  ],
  ["an index", "DELETE FROM sqlite_schema WHERE name = 'entry_time'"],
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
  expect(await index.update()).toMatchObject({ read: 4 })
  expect(await index.search({ terms: [{ text: "retry" }] })).toEqual(whole)
  expect(await index.verify()).toEqual([])
  await index.close()
})

it("renames a file that SQLite cannot read, says so, and builds a new index", async () => {
  const { storage, indexPath } = testStore(4, 8)
  const first = new SqliteSessionIndex({ storage, path: indexPath })
  await first.update()
  await first.close()
  const bytes = readFileSync(indexPath)
  writeFileSync(indexPath, bytes.fill(0x5a, 4096))
  const aside: string[] = []
  const options = {
    storage,
    path: indexPath,
    clock: { now: () => NOW },
    onQuarantine: (path: string) => aside.push(path),
  }
  const index = new SqliteSessionIndex(options)
  expect((await index.update()).read).toBe(4)
  expect(await index.verify()).toEqual([])
  expect(aside).toEqual([`${indexPath}.corrupt-2026-03-07T00-00-00-000Z`])
  expect(readdirSync(dirname(indexPath))).toContain(`${basename(indexPath)}.corrupt-2026-03-07T00-00-00-000Z`)
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
