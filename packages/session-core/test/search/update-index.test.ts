import { MemorySessionStorage, SessionManager, TreelogError } from "@treelog/session-core"
import { type IndexTables, type IndexUpdateOptions, updateIndex } from "@treelog/session-core/search"
import { expect, test } from "vitest"

type IndexProgress = Parameters<NonNullable<IndexUpdateOptions["onProgress"]>>[0]

type IndexChange = Parameters<IndexTables["put"]>[0]

/** Tables that hold back what was put, as a database does that writes many changes at a time. */
class SlowTables implements IndexTables {
  readonly readable = new Set<string>()
  #held: string[] = []

  settledStats(): Map<string, string> {
    return new Map()
  }

  state(): undefined {
    return undefined
  }

  put({ state }: IndexChange): boolean {
    this.#held.push(state.session.key)
    return true
  }

  remove(): boolean {
    return true
  }

  async flush(): Promise<void> {
    for (const key of this.#held.splice(0)) this.readable.add(key)
  }
}

test("progress says up to which time sessions can be found, which is true of tables that hold changes back", async () => {
  const storage = await storedSessions(6)
  const modified = new Map<string, number>()
  for await (const { key } of storage.list()) modified.set(key, (await storage.stat(key))?.modified ?? 0)
  const tables = new SlowTables()
  const seen: IndexProgress[] = []
  let now = 0
  const report = await updateIndex([{ storage }], tables, {
    // So that several sessions are read between two flushes.
    now: () => (now += 15),
    onProgress: (progress) => {
      seen.push(progress)
      for (const [key, time] of modified)
        if (time > progress.upToDateAfter) expect(tables.readable.has(key), `${key} at ${progress.done}`).toBe(true)
    },
  })
  // One for each session, and one at the end.
  expect(seen).toHaveLength(7)
  expect(seen[0]?.upToDateAfter).toBe(Number.MAX_SAFE_INTEGER)
  expect(seen.at(-2)?.upToDateAfter).toBeLessThan(Number.MAX_SAFE_INTEGER)
  expect(seen.at(-1)).toMatchObject({ done: 6, upToDateAfter: 0 })
  expect(report).toMatchObject({ done: 6, total: 6, upToDateAfter: 0 })
  expect(tables.readable.size).toBe(6)
})

async function storedSessions(count: number): Promise<MemorySessionStorage> {
  const storage = new MemorySessionStorage()
  const manager = new SessionManager({ storage })
  for (let made = 0; made < count; made++) {
    const session = await manager.create("/home/ada")
    session.appendMessage({ role: "user", content: "Hello", timestamp: 0 })
    await session.close()
  }
  return storage
}

test("an unexpected error of one session is reported, and the others are indexed", async () => {
  const storage = await storedSessions(3)
  const [broken = ""] = await keysOf(storage)
  const open = storage.openRanges.bind(storage)
  storage.openRanges = async (key, identity) => {
    if (key === broken) throw new RangeError("Invalid string length")
    return open(key, identity)
  }
  const tables = new SlowTables()
  const { failed } = await updateIndex([{ storage }], tables)
  expect(failed).toEqual([{ key: broken, code: "InternalError", message: "Invalid string length (unexpected)" }])
  expect(tables.readable.size).toBe(2)
})

test("an update whose storage never waits lets timers run, so that it can be stopped", async () => {
  const storage = await storedSessions(50)
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 0)
  let now = 0
  const updating = updateIndex([{ storage }], new SlowTables(), { signal: stop.signal, now: () => (now += 20) })
  await expect(updating).rejects.toThrow(/abort/i)
})

test("a fault of the tables ends the update: no session is blamed", async () => {
  const tables = new SlowTables()
  tables.put = () => {
    throw new TreelogError("StorageError", "The disk is full.", { key: "index", operation: "write", errno: "ENOSPC" })
  }
  await expect(updateIndex([{ storage: await storedSessions(3) }], tables)).rejects.toThrow("The disk is full.")
})

async function keysOf(storage: MemorySessionStorage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}
