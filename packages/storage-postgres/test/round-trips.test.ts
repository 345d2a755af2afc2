import { SessionManager } from "@treelog/session-core"
import { beforeEach, describe, expect, test } from "vitest"
import { allOf, bytes, EXCLUSIVE, newKey, SHARED, scene } from "./scene.js"

const { storage, sent } = scene()

beforeEach(() => void sent())

describe("one statement is enough", () => {
  test("for each method of a storage and a lease that is called often", async () => {
    const [store, key] = [storage(), newKey()]
    const counts: Record<string, number> = {}
    const count = async <Result>(name: string, work: Promise<Result>): Promise<Result> => {
      const result = await work
      counts[name] = sent().length
      return result
    }
    const lease = await count("lease", store.lease(key, EXCLUSIVE))
    let stat = await count("create", lease.create([bytes("one\n")]))
    stat = await count("append", lease.append(bytes("two\n"), stat))
    await count("sync", lease.sync())
    await count("release", lease.release())
    await count("leaseAndAppend", store.leaseAndAppend(key, SHARED, bytes("three\n"), stat))
    await count("stat", store.stat(key))
    await count("readRange", store.readRange(key, 4, 8))
    await count("find", allOf(store.find("session")))
    await count("list", allOf(store.list({ cwd: "/home/user/project" })))
    const remover = await store.lease(key, EXCLUSIVE)
    sent()
    await count("remove", remover.remove())
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
