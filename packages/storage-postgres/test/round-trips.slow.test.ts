import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { SessionManager } from "@treelog/session-core"
import type { StorageStat } from "@treelog/session-core/adapter"
import { PostgresSessionStorage } from "@treelog/storage-postgres"
import { beforeEach, describe, expect, test } from "vitest"
import { PostgresLease, PostgresSummaryCache } from "./door.js"
import { allOf, bytes, EXCLUSIVE, newKey, SHARED, scene } from "./scene.js"

const { storage, sent, rows } = scene()

beforeEach(() => void sent())

/** How many statements each call sends, by the name of the operation; `begin` and `commit` count as one of them each. */
function counting() {
  const counts: Record<string, number> = {}
  const count = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    sent()
    const result = await work()
    counts[name] = sent().reduce((sum, text) => sum + (text === "begin" ? 2 : 1), 0)
    return result
  }
  return { counts, count }
}

describe("one statement is enough", () => {
  test("for each method of a storage and a lease that is called often", async () => {
    const [store, key] = [storage(), newKey()]
    const { counts, count } = counting()
    const lease = await count("lease", () => store.lease(key, EXCLUSIVE))
    let stat = await count("create", () => lease.create([bytes("one\n")]))
    stat = await count("append", () => lease.append(bytes("two\n"), stat))
    await count("sync", () => lease.sync())
    await count("release", () => lease.release())
    stat = await count("leaseAndAppend", () => store.leaseAndAppend(key, SHARED, bytes("three\n"), stat))
    await count("stat", () => store.stat(key))
    await count("readRange", () => store.readRange(key, 4, 8))
    await count("find", () => allOf(store.find("session")))
    await count("list", () => allOf(store.list({ cwd: "/home/user/project" })))
    await count("summaries.scan", () => allOf(store.summaries.scan({ cwd: "/home/user/project" })))
    await count("summaries.find", () => store.summaries.find(key))
    await count("summaries.newest", async () => store.summaries.newest?.({}, 20, 1))
    await count("summaries.flush", async () => {
      store.summaries.put(key, stat, { version: 1, cwd: undefined, modified: 1, info: {}, resume: {} })
      await store.summaries.flush()
    })
    await count("parts", () => allOf(store.parts()))
    await count("artifacts", () => allOf(store.artifacts()))
    await count("removeAbandonedUploads", () => store.removeAbandonedUploads())
    const remover = await store.lease(key, EXCLUSIVE)
    await count("remove", () => remover.remove())
    expect(counts).toEqual({
      lease: 1,
      create: 1,
      append: 1,
      sync: 0,
      release: 1,
      leaseAndAppend: 1,
      stat: 1,
      readRange: 1,
      find: 1,
      list: 1,
      "summaries.scan": 1,
      "summaries.find": 1,
      "summaries.newest": 1,
      "summaries.flush": 1,
      parts: 0,
      artifacts: 0,
      removeAbandonedUploads: 1,
      remove: 1,
    })
  })

  test.each(["exclusive", "shared"] as const)(
    "for a flush of %s access, once the session has begun",
    async (access) => {
      const manager = new SessionManager({ storage: storage() })
      const session = await manager.create("/home/user/project", { access })
      session.appendMessage({ role: "user", content: "one", timestamp: 1 })
      await session.flush()
      sent()
      session.appendMessage({ role: "user", content: "two", timestamp: 2 })
      await session.flush()
      expect(sent()).toHaveLength(1)
      await session.close()
    },
  )

  test("to find a session by its id, besides reading its header", async () => {
    const manager = new SessionManager({ storage: storage() })
    const session = await manager.create("/home/user/project")
    session.appendMessage({ role: "user", content: "one", timestamp: 1 })
    await session.close()
    sent()
    expect(await manager.resolve({ id: session.getSessionId() })).toBe(session.getSessionFile())
    expect(sent().filter((text) => /order by key/.test(text))).toHaveLength(1)
  })
})

test("appends to several sessions at once are each behind their own fence", async () => {
  const store = storage()
  const leases = await Promise.all([1, 2, 3, 4].map(() => store.lease(newKey(), EXCLUSIVE)))
  const stats = await Promise.all(leases.map((lease) => lease.create([bytes("one\n")])))
  const [first, second, third, fourth] = leases.map((lease, at) => ({ lease, stat: stats[at] as StorageStat }))
  if (!first || !second || !third || !fourth) throw new Error("There are four.")
  // The second has a state that is no more, and the third has lost its lease.
  const before = second.stat
  second.stat = await second.lease.append(bytes("two\n"), before)
  await rows("update treelog.lease set owner = null where key = $1", [third.lease.key])
  const outcomes = await Promise.allSettled([
    first.lease.append(bytes("two\n"), first.stat),
    second.lease.append(bytes("three\n"), before),
    third.lease.append(bytes("two\n"), third.stat),
    fourth.lease.append(bytes(""), fourth.stat),
  ])
  expect(outcomes).toMatchObject([
    { value: { size: 8 } },
    { reason: { code: "SessionChangedError" } },
    { reason: { code: "LeaseLostError" } },
    { value: { size: 4 } },
  ])
  expect(Buffer.from(await store.readRange(first.lease.key, 0, 99)).toString()).toBe("one\ntwo\n")
  expect((await store.stat(third.lease.key))?.size).toBe(4)
})

test("what rewrites or moves a session takes one transaction", async () => {
  const store = storage()
  const { counts, count } = counting()
  const lease = await store.lease(newKey(), EXCLUSIVE)
  let expected = await lease.create([bytes("one\n")])
  expected = (await count("replace", () => lease.replace([bytes("two\n")], { expected }))).stat
  await count("replace, keepAs", () => lease.replace([bytes("three\n")], { expected, keepAs: ".bak" }))
  await count("move", () => lease.move(newKey()))
  await count("compactPieces", () => store.compactPieces(lease.key))
  expect(counts).toEqual({
    replace: 6,
    "replace, keepAs": 7,
    move: 8,
    compactPieces: 4,
  })
})

test("each method of a storage, its summaries and its leases is counted above", () => {
  const source = readFileSync(fileURLToPath(import.meta.url), "utf8")
  const methodsOf = (type: { readonly prototype: object }) => Object.getOwnPropertyNames(type.prototype)
  const methods = [PostgresSessionStorage, PostgresSummaryCache, PostgresLease].flatMap(methodsOf)
  // These send nothing by themselves; watching sends what `stat` does, again and again.
  const silent = ["constructor", "key", "keyFor", "keyFromRef", "folderOf", "isInside", "put", "watch"]
  const missing = methods.filter(
    (name) => !silent.includes(name) && !new RegExp(`count\\("(summaries\\.)?${name}"`).test(source),
  )
  expect(methods.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})
