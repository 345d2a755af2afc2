import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadDriver, SqliteSessionIndex } from "@treelog/index-sqlite"
import { parseQuery } from "@treelog/session-core/search"
import { FileSessionStorage } from "@treelog/storage-fs"
import { SqliteConnection } from "@treelog-internal/sqlite"
import { expect, it, vi } from "vitest"
import { idsEndAt, RowFinder } from "./door.js"
import { lineOf, testStore } from "./store.js"
import { tempFolder } from "./temp-folder.js"

it("a search for sessions reads one text of each fork, and not its copies", async () => {
  const agentDir = tempFolder()
  const bucket = join(agentDir, "sessions", "--p--")
  mkdirSync(bucket, { recursive: true })
  const copies = Array.from({ length: 10 }, (_, at) => lineOf(0, 4 * at)).join("")
  const own = Array.from({ length: 32 }, (_, fork) => lineOf(9, 4 * fork))
  for (const [fork, line] of own.entries()) {
    const header = { type: "session", version: 3, id: `f${fork}`, timestamp: "2026-01-05T08:00:00.000Z", cwd: "/p" }
    writeFileSync(join(bucket, `f${fork}.jsonl`), `${JSON.stringify(header)}\n${copies}${line}`)
  }
  const storage = new FileSessionStorage({ agentDir, cacheDir: null })
  const index = new SqliteSessionIndex({ storage, path: join(agentDir, "index.db") })
  await index.update()
  const opened = vi.spyOn(storage, "openRanges")
  let bytes = 0
  opened.mockImplementation(async (key, identity) => {
    const ranges = await FileSessionStorage.prototype.openRanges.call(storage, key, identity)
    return {
      ...ranges,
      close: () => ranges.close(),
      read: (from, length, into) => {
        bytes += length
        return ranges.read(from, length, into)
      },
    }
  })
  const { sessions } = await index.search({ ...parseQuery("role:user", 0), distinct: "session", limit: 50 })
  expect(sessions).toHaveLength(own.length)
  expect(bytes).toBeLessThanOrEqual(Buffer.byteLength(own.join("")))
  await index.close()
})

it("no row is looked for behind the last one that can be among the hits", async () => {
  const { storage, indexPath } = testStore(8, 50)
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  await index.update()
  const connection = new SqliteConnection((await loadDriver()).open(indexPath), indexPath)
  const finder = new RowFinder(connection, parseQuery("role:user", 0), [], undefined, 2)
  const least = finder.next(connection).at(-1)?.time ?? 0
  expect(finder.next(connection, least)).toEqual([])
  expect(finder.from).toBeLessThanOrEqual(idsEndAt(least))
  connection.close()
  await index.close()
})
