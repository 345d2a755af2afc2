import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import type { StorageStat } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import { killProcess, otherProcesses } from "@treelog-internal/test-kit/processes"
import { expect, it } from "vitest"
import { reached } from "./reached.js"
import { lineOf, type TestStore, testStore } from "./store.js"

const MINUTE = 60_000
const KILLS = tries(6)
const SESSIONS = 120

/** Late enough that what the test wrote was left alone. */
const LATER = { now: () => Date.now() + MINUTE }

const processes = otherProcesses(join(import.meta.dirname, "child", "results-user.ts"), {
  inside: join(import.meta.dirname, "..", "node_modules", ".cache"),
  external: ["better-sqlite3"],
})

function indexOf({ storage, indexPath }: TestStore, clock = LATER): SqliteSessionIndex {
  return new SqliteSessionIndex({ storage, path: indexPath, clock })
}

async function statOf({ storage }: TestStore, key: string): Promise<StorageStat> {
  const stat = await storage.stat(key)
  if (!stat) throw new Error(`${key} is not stored`)
  return stat
}

/** Keeps the bytes of each session as its result. */
async function keepAll(store: TestStore, index: SqliteSessionIndex): Promise<void> {
  for (const key of store.paths) {
    const stat = await statOf(store, key)
    const { keep } = await index.results("text", "1").of(key, stat)
    expect(await keep(readFileSync(key, "utf8"), stat)).toBe(true)
  }
}

async function knownOf(store: TestStore, index: SqliteSessionIndex, key: string, version = "1"): Promise<unknown> {
  return (await index.results("text", version).of(key, await statOf(store, key))).known
}

it("a result is known until the session changes, by its version and kind", async () => {
  const store = testStore(3, 4)
  const [first = "", second = "", third = ""] = store.paths
  const index = indexOf(store)
  expect(await knownOf(store, index, first)).toBeUndefined()
  await keepAll(store, index)
  await index.close()
  const again = indexOf(store)
  expect(await knownOf(store, again, first)).toBe(readFileSync(first, "utf8"))
  expect(await knownOf(store, again, first, "2")).toBeUndefined()
  expect((await again.results("other", "1").of(first, await statOf(store, first))).known).toBeUndefined()
  store.append(1, lineOf(1, 4))
  expect(await knownOf(store, again, second)).toBeUndefined()
  writeFileSync(`${third}.new`, readFileSync(third))
  renameSync(`${third}.new`, third)
  expect(await knownOf(store, again, third)).toBeUndefined()
  expect(await knownOf(store, again, first)).toBe(readFileSync(first, "utf8"))
  await again.close()
})

it("nothing is kept of a session that was just written, or that changed while it was read", async () => {
  const store = testStore(1, 4)
  const [key = ""] = store.paths
  const stat = await statOf(store, key)
  const now = indexOf(store, { now: () => stat.modified + 1000 })
  const early = await now.results("text", "1").of(key, stat)
  expect(await early.keep("early", stat)).toBe(false)
  await now.close()
  const index = indexOf(store)
  const result = await index.results("text", "1").of(key, stat)
  store.append(0, lineOf(0, 4))
  expect(await result.keep("old", await statOf(store, key))).toBe(false)
  expect(await knownOf(store, index, key)).toBeUndefined()
  await index.close()
})

it("the results of removed sessions go, with an update and where only some are retained", async () => {
  const store = testStore(3, 4)
  const [first = "", , third = ""] = store.paths
  const stats = await Promise.all(store.paths.map((key) => statOf(store, key)))
  const index = indexOf(store)
  await index.update()
  await keepAll(store, index)
  const known = async () =>
    Promise.all(
      store.paths.map(async (key, at) => (await index.results("text", "1").of(key, stats[at] as StorageStat)).known),
    )
  rmSync(first)
  await index.update()
  expect((await known()).map((text) => text !== undefined)).toEqual([false, true, true])
  await index.results("other", "1").retain(new Set())
  await index.results("text", "1").retain(new Set([third]))
  expect((await known()).map((text) => text !== undefined)).toEqual([false, false, true])
  await index.close()
})

it("a changed bit of the database ends nothing", async () => {
  const store = testStore(8, 3)
  const built = indexOf(store)
  await keepAll(store, built)
  await built.close()
  const whole = readFileSync(store.indexPath)
  let lost = 0
  for (let flip = 0; flip < tries(20); flip++) {
    const bytes = Buffer.from(whole)
    const at = (flip * 7919 * 13) % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8))
    for (const end of ["-wal", "-shm"]) rmSync(store.indexPath + end, { force: true })
    writeFileSync(store.indexPath, bytes)
    const index = indexOf(store)
    for (const key of store.paths) {
      if ((await knownOf(store, index, key)) === undefined) lost++
    }
    await index.close()
  }
  expect(lost).toBeGreaterThan(0)
})

it(`is right for what it knows after each of ${KILLS} kills, with two processes at once`, async () => {
  const store = testStore(SESSIONS, 20)
  let partial = 0
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill % 3 === 0) for (const end of ["", "-wal", "-shm"]) rmSync(store.indexPath + end, { force: true })
    store.append(kill, lineOf(kill % SESSIONS, 20 + kill))
    const children = ["one", "two"].map(() => processes.start("keep", store.agentDir, store.indexPath))
    await Promise.race(children.map((child) => reached(child, (kill * 17) % SESSIONS)))
    await Promise.all(children.map(killProcess))
    const index = indexOf(store)
    let known = 0
    for (const key of store.paths) {
      const text = await knownOf(store, index, key)
      if (text === undefined) continue
      known++
      expect(text).toBe(readFileSync(key, "utf8"))
    }
    if (known > 0 && known < store.paths.length) partial++
    await index.close()
  }
  // Otherwise all kills came too early or too late.
  expect(partial).toBeGreaterThan(0)
})
