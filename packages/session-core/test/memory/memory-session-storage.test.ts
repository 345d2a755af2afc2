import { MemorySessionStorage } from "@treelog/session-core"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { LapsingStorage, losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const KEY = "memory:/home/user/project/0123"
const AT_ONCE = { access: "exclusive", waitMs: 0 } as const
const LEASE_MS = 60_000
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

sessionStorageContract(
  { describe, it },
  {
    name: "MemorySessionStorage with leases that lapse",
    example: new LapsingStorage({ leaseMs: LEASE_MS }),
    losesAnswers: true,
    setup: async () => {
      let ahead = 0
      const clock = { now: () => Date.now() + ahead }
      return {
        ...losingNextAnswer(new LapsingStorage({ sleep, clock, leaseMs: LEASE_MS })),
        lapse: async () => {
          ahead += LEASE_MS
        },
        teardown: async () => {},
      }
    },
  },
)

describe("MemorySessionStorage", () => {
  it("has keys that tell the folder and the id", () => {
    const storage = new MemorySessionStorage()
    const key = storage.keyFor({ cwd: "/home/user/project", id: "0123", timestamp: "2026-03-07T14:00:00.000Z" })
    expect(key).toBe(KEY)
    expect(storage.folderOf(key)).toBe("memory:/home/user/project")
  })

  it("takes references for keys only where they look like one", () => {
    const storage = new MemorySessionStorage()
    expect(storage.keyFromRef(KEY)).toBe(KEY)
    for (const ref of ["0123", "@last", "/home/user/session.jsonl", ""]) expect(storage.keyFromRef(ref)).toBeUndefined()
  })

  it("reports the time of each write, and the holder of a busy session, by its clock", async () => {
    let now = Date.UTC(2026, 2, 7)
    const storage = new MemorySessionStorage({ clock: { now: () => now } })
    const lease = await storage.lease(KEY, AT_ONCE)
    const created = await lease.create([new Uint8Array(3)])
    now += 1000
    const appended = await lease.append(new Uint8Array(2), created)
    expect([created.modified, appended.modified]).toEqual([now - 1000, now])
    await expect(storage.lease(KEY, AT_ONCE)).rejects.toMatchObject({
      code: "SessionBusyError",
      data: { key: KEY, pid: 0, host: "memory", since: "2026-03-07T00:00:00.000Z" },
    })
  })

  it("waits for the release without limit where it was given no `sleep`", async () => {
    const storage = new MemorySessionStorage()
    const first = await storage.lease(KEY, AT_ONCE)
    const second = storage.lease(KEY, { access: "exclusive", waitMs: 1 })
    const sooner = await Promise.race([second, sleep(30).then(() => "still waiting")])
    expect(sooner).toBe("still waiting")
    await first.release()
    expect((await second).key).toBe(KEY)
  })

  it("gives a lease to one that waits when the holder's lapses, without a release", async () => {
    // As a timer of Node may end.
    const early = (ms: number) => sleep(ms - 2)
    const storage = new LapsingStorage({ sleep: early, leaseMs: 20 })
    const first = await storage.lease(KEY, AT_ONCE)
    await first.create([])
    await storage.lease(KEY, { access: "exclusive", waitMs: 10_000 })
    await expect(first.remove()).rejects.toMatchObject({
      code: "LeaseLostError",
      data: { key: KEY, operation: "remove" },
    })
  })

  it("renews a lease with each use", async () => {
    let now = Date.UTC(2026, 2, 7)
    const storage = new LapsingStorage({ clock: { now: () => now }, leaseMs: 1000 })
    const lease = await storage.lease(KEY, AT_ONCE)
    let stat = await lease.create([])
    for (let use = 0; use < 5; use++) {
      now += 999
      stat = await lease.append(new Uint8Array(1), stat)
    }
    now += 1000
    await expect(lease.sync()).rejects.toMatchObject({ code: "LeaseLostError" })
  })

  it("starts no timer for a lease that is free", async () => {
    const asked: number[] = []
    const storage = new MemorySessionStorage({ sleep: async (ms) => void asked.push(ms) })
    await storage.lease(KEY, { access: "shared", waitMs: 5000 })
    expect(asked).toEqual([])
  })

  it("wakes one watcher for the changes of its own key alone", async () => {
    const storage = new MemorySessionStorage()
    const controller = new AbortController()
    const changes = storage.watch(KEY, controller.signal)[Symbol.asyncIterator]()
    expect(await changes.next()).toMatchObject({ done: false })
    const next = changes.next().then(() => "changed")
    await (await storage.lease(`${KEY}4`, AT_ONCE)).create([])
    expect(await Promise.race([next, sleep(5).then(() => "quiet")])).toBe("quiet")
    await (await storage.lease(KEY, AT_ONCE)).create([])
    expect(await next).toBe("changed")
    controller.abort()
    expect(await changes.next()).toEqual({ done: true, value: undefined })
  })
})
