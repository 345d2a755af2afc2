import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery, type SessionIndex } from "@treelog/session-core/search"
import {
  StoreProgram,
  type StoreStep,
  storeQueries,
  storeSteps,
  testClock,
  testIds,
  tries,
} from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"
import { tempFolder } from "./temp-folder.js"

const NOW = Date.UTC(2026, 2, 12)
const PERIODS = ["total", "day", "week", "month", "project", "model", "session"] as const
const FILTERS = [
  {},
  { project: "shop" },
  { since: Date.UTC(2026, 2, 6) },
  { model: "claude" },
  { file: ["retry.ts", "none.ts"] },
]

async function expectSame(index: SessionIndex, oracle: SessionIndex, queries: readonly string[]): Promise<void> {
  for (const text of queries)
    for (const limit of [3, 10_000]) {
      const query = { ...parseQuery(text, NOW), limit }
      expect(await index.search(query), text).toEqual(await oracle.search(query))
    }
  for (const by of PERIODS)
    for (const filter of FILTERS)
      expect(await index.usage({ by, ...filter })).toEqual(await oracle.usage({ by, ...filter }))
  for (const filter of FILTERS)
    for (const path of ["retry.ts", "src/retry.ts"])
      expect(await index.files({ path, ...filter })).toEqual(await oracle.files({ path, ...filter }))
}

async function follow(rounds: readonly (readonly StoreStep[])[], queries: readonly string[]): Promise<void> {
  const storage = new MemorySessionStorage()
  const clock = testClock()
  const sessions = new SessionManager({ storage, blobs: new MemoryBlobStore(), clock, ids: testIds() })
  const program = new StoreProgram(sessions, storage)
  const path = join(tempFolder(), "index.db")
  const index = new SqliteSessionIndex({ storage, path })
  for (const steps of rounds) {
    for (const step of steps) {
      clock.time += 3_600_000
      await program.run(step)
    }
    await index.update()
    const oracle = new MemorySessionIndex(storage)
    await oracle.update()
    await expectSame(index, oracle, queries)
  }
  await index.close()
}

it("an index that follows a store answers as a scan of all its texts does", async () => {
  const property = fc.asyncProperty(
    fc.array(storeSteps, { minLength: 1, maxLength: 4 }),
    fc.array(storeQueries, { minLength: 4, maxLength: 8 }),
    follow,
  )
  await fc.assert(property, { numRuns: tries(6) })
})
