import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { expect, it } from "vitest"
import { testStore } from "./store.js"

it("finds parts of words after another process has replaced the database in between", async () => {
  const { storage, indexPath } = testStore(30, 12)
  const first = new SqliteSessionIndex({ storage, path: indexPath })
  const oracle = new MemorySessionIndex(storage)
  await Promise.all([first.update(), oracle.update()])
  const database = (await import("better-sqlite3")).default
  const db = new database(indexPath)
  db.exec("PRAGMA user_version = 99")
  db.close()
  // Another version of the tables: they are made anew.
  const second = new SqliteSessionIndex({ storage, path: indexPath })
  expect((await second.update()).read).toBe(30)
  await first.update()
  const query = { terms: [{ text: "tryPol" }], limit: 1000 }
  const expected = await oracle.search(query)
  expect(expected.sessions.length).toBeGreaterThan(5)
  expect(await first.search(query)).toEqual(expected)
  expect(await second.search(query)).toEqual(expected)
  await Promise.all([first.close(), second.close()])
})
