import type { ChildProcess } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionIndex, type SearchResult, type SessionIndex } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import { killProcess, otherProcesses } from "@treelog-internal/test-kit/processes"
import { answersAsNew } from "@treelog-internal/test-kit/session-index"
import { expect, it } from "vitest"
import { reached } from "./reached.js"
import { lineOf, type TestStore, testStore } from "./store.js"

const KILLS = tries(10)
const SESSIONS = 60

// They find better-sqlite3 where this package does.
const processes = otherProcesses(join(import.meta.dirname, "child", "index-user.ts"), {
  inside: join(import.meta.dirname, "..", "node_modules", ".cache"),
  external: ["better-sqlite3"],
})

/** What an update reports at its end. One process may be done before the other has begun. */
function reportOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on("message", (text) => {
      if (typeof text === "string" && text !== "started") resolve(text)
    })
    child.once("exit", (code) => reject(new Error(`the process ended with ${code} and no report`)))
  })
}

const QUERIES = [
  { terms: [{ text: "retry" }] },
  { terms: [{ text: "重试" }] },
  { terms: [{ text: "tryPol" }], roles: ["user" as const] },
]

const idsIn = ({ sessions }: SearchResult): string[] =>
  sessions.flatMap(({ hits }) => hits.map(({ entryId, role }) => `${entryId} ${role}`))

/** Of each day, the sums of its models in one order. */
async function usageByDay(index: SessionIndex): Promise<unknown[]> {
  const rows = await index.usage({ by: "day" })
  return rows.map(({ usages, ...row }) => ({ ...row, usages: usages.map((one) => JSON.stringify(one)).sort() }))
}

async function expectWhole({ storage, indexPath }: TestStore): Promise<void> {
  const index = new SqliteSessionIndex({ storage, path: indexPath })
  const oracle = new MemorySessionIndex(storage)
  await Promise.all([index.update(), oracle.update()])
  for (const query of QUERIES)
    expect(await index.search({ ...query, limit: 100_000 })).toEqual(await oracle.search({ ...query, limit: 100_000 }))
  expect(await usageByDay(index)).toEqual(await usageByDay(oracle))
  await index.close()
}

it(`is right for what it holds after each of ${KILLS} kills, and whole after the next update`, async () => {
  const store = testStore(SESSIONS, 20)
  const { storage, indexPath, agentDir } = store
  let partial = 0
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 4 === 0) for (const file of ["", "-wal", "-shm"]) rmSync(indexPath + file, { force: true })
    store.append(kill, lineOf(kill % SESSIONS, 20 + kill))
    const child = processes.start("update once", agentDir, indexPath)
    await reached(child, (kill * 17) % SESSIONS)
    await killProcess(child)
    const index = new SqliteSessionIndex({ storage, path: indexPath })
    const oracle = new MemorySessionIndex(storage)
    await oracle.update()
    for (const query of QUERIES) {
      const all = new Set(idsIn(await oracle.search({ ...query, limit: 100_000 })))
      const found = idsIn(await index.search({ ...query, limit: 100_000 }))
      expect(found.filter((id) => !all.has(id))).toEqual([])
      if (found.length < all.size) partial++
    }
    await index.close()
    if (kill % 10 === 9) await expectWhole(store)
  }
  // Otherwise all came too late.
  expect(partial).toBeGreaterThan(0)
  await expectWhole(store)
})

it("is updated by two processes at once, while a third searches", async () => {
  const store = testStore(SESSIONS, 20)
  const index = new SqliteSessionIndex({ storage: store.storage, path: store.indexPath })
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < 30; at++) store.append(round + at, lineOf((round + at) % SESSIONS, 20 + round * 30 + at))
    const children = ["one", "two"].map(() => processes.start("update once", store.agentDir, store.indexPath))
    const ended = Promise.all(children.map(reportOf))
    for (let searches = 0; searches < 5; searches++) await index.search({ terms: [{ text: "retry" }], limit: 20 })
    expect(await ended).toEqual(["60 0", "60 0"])
    await answersAsNew(index, store.storage)
  }
  await index.close()
  await expectWhole(store)
})
