import { loadDriver, SqliteSessionIndex } from "@treelog/index-sqlite"
import { SqliteConnection, type SqliteDatabase } from "@treelog-internal/sqlite"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { indexFile, mergeWords } from "./door.js"
import { lineOf, testStore } from "./store.js"

/** Of an update after which words are merged. Bytes. */
const MUCH = 33 * 1024 * 1024

it("has the words of many updates in one place after they are merged, and lacks none", async () => {
  const { storage, indexPath, append } = testStore(5, 40)
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  for (let at = 0; at < 5; at++) {
    append(at, lineOf(at, 100 + at))
    await index.update()
  }
  const connection = new SqliteConnection((await loadDriver()).open(indexPath), indexPath)
  const segments = () => connection.sql("SELECT count(DISTINCT segid) AS n FROM words_idx").get<{ n: number }>()?.n
  expect(segments()).toBeGreaterThan(3)
  const file = indexFile({
    path: indexPath,
    sources: new Map(),
    loadDriver,
    now: Date.now,
    onDamaged() {},
    onUnwritable: undefined,
  })
  await mergeWords(file)
  expect(segments()).toBe(1)
  await answersAsNew(index, storage)
  connection.close()
  await Promise.all([file.close(), index.close()])
})

it("answers from a complete index whose words a full disk kept from being merged, and reports that", async () => {
  const { storage, indexPath, append } = testStore(1, 8)
  append(0, `${JSON.stringify({ type: "custom", customType: "x", data: "x".repeat(MUCH) })}\n`)
  append(0, lineOf(0, 100))
  const { name, open } = await loadDriver()
  const full = (): never => {
    throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
  }
  const openFull = (path: string): SqliteDatabase => {
    const db = open(path)
    return {
      prepare: (sql) => (sql.includes("'merge'") ? full() : db.prepare(sql)),
      exec: (sql) => db.exec(sql),
      close: () => db.close(),
    }
  }
  const unmerged: string[] = []
  const index = new SqliteSessionIndex({
    storage,
    path: indexPath,
    loadDriver: async () => ({ name, open: openFull }),
    onUnmerged: ({ message }) => unmerged.push(message),
  })
  expect(await index.update()).toMatchObject({ done: 1, read: 1, failed: [] })
  expect(unmerged).toEqual([expect.stringContaining(indexPath)])
  expect((await index.search({ terms: [{ text: "n100" }] })).sessions).toHaveLength(1)
  await index.close()
})

it("goes on in memory where the disk is full, and answers with all sessions; without a callback it fails", async () => {
  const { storage, indexPath, append } = testStore(3, 8)
  const { name, open } = await loadDriver()
  let isFull = false
  const openFull = (path: string): SqliteDatabase => {
    const db = open(path)
    const prepare: SqliteDatabase["prepare"] = (sql) => {
      if (isFull && path === indexPath && /^\s*INSERT/.test(sql))
        throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" })
      return db.prepare(sql)
    }
    return { prepare, exec: (sql) => db.exec(sql), close: () => db.close() }
  }
  const reasons: string[] = []
  const options = { storage, path: indexPath, loadDriver: async () => ({ name, open: openFull }) }
  const built = new SqliteSessionIndex(options)
  await built.update()
  await built.close()
  isFull = true
  append(0, lineOf(0, 100))
  const index = new SqliteSessionIndex({ ...options, onUnwritable: ({ message }) => reasons.push(message) })
  await index.update()
  await answersAsNew(index, storage)
  expect(reasons).toEqual(["database or disk is full"])
  await index.close()
  const failing = new SqliteSessionIndex(options)
  await expect(failing.update()).rejects.toMatchObject({ code: "StorageError", data: { errno: "SQLITE_FULL" } })
  await failing.close()
})
