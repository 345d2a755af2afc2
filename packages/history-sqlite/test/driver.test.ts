import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { SqliteDatabase, SqliteDriver } from "@treelog/history-sqlite"
import { TreelogError } from "@treelog/session-core"
import { expect, it } from "vitest"
import { loadDriver } from "./door.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

const missing = () => {
  throw new TreelogError("HistoryUnavailableError", "better-sqlite3 is not installed.", { reason: "not-installed" })
}

it("loads nothing, and makes no file, before there is something to do", async () => {
  const path = join(tempFolder(), "deeper", "history.db")
  let loaded = 0
  const countedLoad = () => {
    loaded++
    return loadDriver()
  }
  const history = openHistory(path, { loadDriver: countedLoad })
  history.add("")
  await history.flush()
  expect([loaded, existsSync(path)]).toEqual([0, false])
  history.add("one")
  await history.flush()
  await history.recent()
  expect([loaded, existsSync(path)]).toEqual([1, true])
})

it("takes prompts without a word where the driver is missing, and fails for whoever waits for them", async () => {
  const path = join(tempFolder(), "history.db")
  let load: typeof loadDriver = async () => missing()
  const history = openHistory(path, { loadDriver: () => load() })
  history.add("one")
  await new Promise((resolve) => setImmediate(resolve))
  history.add("two")
  const unavailable = { code: "HistoryUnavailableError", data: { reason: "not-installed" } }
  await expect(history.flush()).rejects.toMatchObject(unavailable)
  await expect(history.search("one")).rejects.toMatchObject(unavailable)
  await expect(history.stats()).rejects.toMatchObject(unavailable)
  load = loadDriver
  expect(await textsOf(history.recent())).toEqual(["two", "one"])
})

it("makes files and folders that are this user's alone", async () => {
  const folder = join(tempFolder(), "deeper")
  const path = join(folder, "history.db")
  const history = openHistory(path)
  history.add("one")
  await history.flush()
  const modes = [folder, path, `${path}-wal`, `${path}-shm`].map((file) => (statSync(file).mode & 0o777).toString(8))
  expect(modes).toEqual(["700", "600", "600", "600"])
})

it("keeps a prompt by itself, without flush", async () => {
  const path = join(tempFolder(), "history.db")
  const history = openHistory(path)
  history.add("one")
  const other = openHistory(path)
  await expect.poll(() => textsOf(other.recent())).toEqual(["one"])
})

it.each(["read", "write"] as const)(
  "opens nothing again where a search is still waiting when it is closed: %s",
  async (access) => {
    const path = join(tempFolder(), "history.db")
    const writer = openHistory(path)
    writer.add("one")
    await writer.close()
    let opened = 0
    const driver = await loadDriver()
    const count = (db: SqliteDatabase): SqliteDatabase => {
      opened++
      return {
        prepare: (sql) => db.prepare(sql),
        exec: (sql) => db.exec(sql),
        close() {
          opened--
          return db.close()
        },
      }
    }
    const counted: SqliteDriver = {
      ...driver,
      open: (file) => count(driver.open(file)),
    }
    for (let turns = 0; turns < 12; turns++) {
      const history = openHistory(path, { access, loadDriver: async () => counted })
      const searching = history.search("one").then(
        (found) => found.length,
        (error) => error.code,
      )
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await history.close()
      expect([1, "HistoryUnavailableError"]).toContain(await searching)
      expect(opened).toBe(0)
    }
  },
)
