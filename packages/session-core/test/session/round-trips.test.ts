import type { MemorySessionStorage } from "@treelog/session-core"
import { userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { AsyncMemoryStorage } from "../async-memory-storage.js"
import { CWD, givenManager, keyOf } from "./given-manager.js"

/** The storage, which notes the calls of its methods and of those of its leases. */
function counting(storage: MemorySessionStorage): { storage: MemorySessionStorage; calls: string[] } {
  const calls: string[] = []
  const counted = <T extends object>(object: T): T =>
    new Proxy(object, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== "function") return member
        return (...args: unknown[]) => {
          calls.push(String(name))
          const result: unknown = member.apply(target, args)
          return name === "lease" ? (result as Promise<object>).then(counted) : result
        }
      },
    })
  return { storage: counted(storage), calls }
}

async function givenShared() {
  const { storage, calls } = counting(new AsyncMemoryStorage())
  const { sessions } = givenManager(storage)
  const session = await sessions.create(CWD, { access: "shared", persist: "create" })
  await session.flush()
  calls.length = 0
  return { storage, calls, sessions, session }
}

describe("the calls of a storage that are round trips on a network", () => {
  it("a flush of a shared session is one call", async () => {
    const { session, calls } = await givenShared()
    session.appendMessage(userMessage("one"))
    session.appendMessage(userMessage("two"))
    await session.flush()
    expect(calls).toEqual(["leaseAndAppend"])
    await session.close()
  })

  it("a flush after another wrote reads that, and writes in one call again", async () => {
    const { session, storage, calls } = await givenShared()
    const other = await givenManager(storage, 1000).sessions.open(keyOf(session), { access: "shared" })
    other.appendMessage(userMessage("theirs"))
    await other.close()
    calls.length = 0
    session.appendMessage(userMessage("mine"))
    await session.flush()
    expect(calls).toEqual(["leaseAndAppend", "stat", "readRange", "leaseAndAppend"])
    await session.close()
  })

  it("a session whose last line has no line end is continued under the lease", async () => {
    const { session, storage, calls } = await givenShared()
    const key = keyOf(session)
    const stat = await storage.stat(key)
    if (!stat) throw new Error("nothing is stored")
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
    await lease.append(new TextEncoder().encode('{"type":"x'), stat)
    await lease.release()
    calls.length = 0
    session.appendMessage(userMessage("mine"))
    await session.flush()
    expect(calls).toContain("lease")
    const text = new TextDecoder().decode(await storage.readRange(key, 0, 10_000))
    expect(text.split("\n")).toHaveLength(4)
    await session.close()
  })

  it.each([
    ["{ id }", (id: string) => ({ id })],
    ["the whole id", (id: string) => id],
  ])("opening by %s lists no keys", async (_, refOf) => {
    const { session, calls, sessions } = await givenShared()
    await session.close()
    calls.length = 0
    const opened = await sessions.open(refOf(session.getSessionId()), { access: "read" })
    expect(opened.getSessionId()).toBe(session.getSessionId())
    expect(calls).toContain("find")
    expect(calls).not.toContain("list")
    await opened.close()
  })

  it("creating with a chosen id lists no keys", async () => {
    const { sessions, calls } = await givenShared()
    await (await sessions.create(CWD, { id: "chosen", persist: "create" })).close()
    await expect(sessions.create(CWD, { id: "chosen" })).rejects.toMatchObject({ code: "SessionExistsError" })
    expect(calls).not.toContain("list")
  })
})
