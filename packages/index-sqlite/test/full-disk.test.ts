import { loadDriver, SqliteSessionIndex } from "@treelog/index-sqlite"
import type { SqliteDatabase } from "@treelog-internal/sqlite"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { lineOf, testStore } from "./store.js"

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
