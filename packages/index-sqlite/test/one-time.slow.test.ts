import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionStorage } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery } from "@treelog/session-core/search"
import { bytesOf } from "@treelog-internal/test-kit"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { tempFolder } from "./temp-folder.js"

const NOW = Date.UTC(2026, 10, 23)
const START = Date.UTC(2026, 2, 2, 9)

/** Stores a session whose entries have these times, in milliseconds after the start, or none. */
async function store(storage: MemorySessionStorage, id: string, times: readonly (number | undefined)[]): Promise<void> {
  const timestamp = new Date(START).toISOString()
  const cwd = "/home/dev/shop"
  const lines = times.map((after, at) => ({
    type: "message",
    id: `${id}-${at}`,
    parentId: null,
    timestamp: after === undefined ? "never" : new Date(START + after).toISOString(),
    message: { role: "user", content: `needle ${at % 10}`, timestamp: 0 },
  }))
  const key = storage.keyFor({ cwd, id, timestamp })
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  const header = { type: "session", version: 3, id, timestamp, cwd }
  await lease.create([bytesOf([header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""))])
  await lease.release()
}

it("orders more texts of one second than it has ids for, and those without a time", async () => {
  const storage = new MemorySessionStorage()
  const path = join(tempFolder(), "index.db")
  const [index, oracle] = [new SqliteSessionIndex({ storage, path }), new MemorySessionIndex(storage)]
  await store(storage, "s1", [...Array.from({ length: 3000 }, (_, at) => at % 900), 5000, 2500, 60_000])
  await index.update()
  await store(
    storage,
    "s2",
    Array.from({ length: 1500 }, (_, at) => (at % 3 === 0 ? undefined : at)),
  )
  await index.update()
  await oracle.update()
  await answersAsNew(index, storage)
  for (const text of ["needle", "7", "eedl", "", "needle 3 until:2026-03-03", "needle since:2026-03-02"])
    for (const limit of [1, 10, 700]) {
      const query = { ...parseQuery(text, NOW), limit }
      expect(await index.search(query), `${text} ${limit}`).toEqual(await oracle.search(query))
    }
  const until = START + 1200
  expect(await index.search({ until, limit: 500 })).toEqual(await oracle.search({ until, limit: 500 }))
  await index.close()
})
