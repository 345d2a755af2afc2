import { MemoryBlobStore, MemorySessionStorage, type SessionEntry, SessionManager } from "@treelog/session-core"
import { MemorySessionIndex, parseQuery, sessionStats } from "@treelog/session-core/search"
import { StoreProgram, storeQueries, storeSteps, testClock, testIds, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"

const NOW = Date.UTC(2026, 2, 12)
const PERIODS = ["total", "day", "week", "month", "project", "model", "session"] as const

it("an index that follows a store equals one that is made anew, and the sums equal those of the sessions", async () => {
  const property = fc.asyncProperty(
    fc.array(storeSteps, { minLength: 1, maxLength: 4 }),
    fc.array(storeQueries, { minLength: 4, maxLength: 8 }),
    async (rounds, queries) => {
      const storage = new MemorySessionStorage()
      const clock = testClock()
      const sessions = new SessionManager({ storage, blobs: new MemoryBlobStore(), clock, ids: testIds() })
      const program = new StoreProgram(sessions, storage)
      const index = new MemorySessionIndex(storage)
      for (const steps of rounds) {
        for (const step of steps) {
          clock.time += 3_600_000
          await program.run(step)
        }
        await index.update()
        const anew = new MemorySessionIndex(storage)
        await anew.update()
        for (const text of queries) {
          const query = { ...parseQuery(text, NOW), limit: 10_000 }
          expect(await index.search(query)).toEqual(await anew.search(query))
        }
        for (const by of PERIODS) expect(await index.usage({ by })).toEqual(await anew.usage({ by }))
        expect(await index.files({ path: "retry.ts" })).toEqual(await anew.files({ path: "retry.ts" }))
        await expectSumsOfSessions(sessions, storage, index)
      }
    },
  )
  await fc.assert(property, { numRuns: tries(6) })
})

async function expectSumsOfSessions(
  sessions: SessionManager,
  storage: MemorySessionStorage,
  index: MemorySessionIndex,
): Promise<void> {
  const entries: SessionEntry[] = []
  for await (const { key } of storage.list()) {
    const session = await sessions.open(key, { access: "read" })
    const [row] = await index.usage({ session: session.getSessionId() })
    expect(row?.totals.output ?? 0).toBe(sessionStats(session.getEntries()).total.output)
    entries.push(...session.getEntries())
    await session.close()
  }
  const { total, models } = sessionStats(entries)
  const [row] = await index.usage({})
  expect(row?.totals.totalTokens ?? 0).toBe(total.totalTokens)
  const byModel = (await index.usage({ by: "model" })).map(({ key, totals }) => [key, totals.calls])
  expect(Object.fromEntries(byModel)).toEqual(
    Object.fromEntries(Object.entries(models).map(([key, { calls }]) => [key, calls])),
  )
}
