import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { CWD, givenManager, keyOf } from "./given-manager.js"

const fails = (code: string) => expect.objectContaining({ code })

/** A session `one`, one whose name is an id, and one whose id is a beginning of the first one's. */
async function given() {
  // Without `isInside`, what is listed is inside.
  const storage = new MemorySessionStorage()
  Object.defineProperty(storage, "isInside", { value: undefined })
  const { sessions } = givenManager(storage)
  for (const [id, name] of [
    ["one-and-only", "first"],
    ["other", "one-and-only"],
    ["memory", "x"],
  ] as const) {
    const session = await sessions.create(CWD, { id, persist: "create" })
    session.appendMessage(userMessage(id))
    session.appendSessionInfo(name)
    await session.close()
  }
  return { storage, sessions, limited: new SessionManager({ storage }) }
}

describe("a reference by id", () => {
  it("means the session with that id, for everything that takes a reference", async () => {
    const { sessions } = await given()
    const ref = { id: "one-and-only" }
    const key = await sessions.resolve(ref)
    expect(key).toBe(`memory:${CWD}/one-and-only`)
    const session = await sessions.open(ref, { access: "read" })
    expect(keyOf(session)).toBe(key)
    expect((await sessions.readContext(ref)).messages).toHaveLength(1)
    expect((await verifySession(sessions, ref)).diagnostics).toEqual([])
    const fork = await sessions.forkFrom(ref, "/elsewhere")
    expect(fork.getHeader().parentSession).toBe(key)
    expect((await fork.setSessionFile(ref)).getSessionFile()).toBe(key)
    await sessions.delete({ id: "other" })
    await expect(sessions.open({ id: "other" })).rejects.toThrow(fails("SessionNotFoundError"))
  })

  it("is never a path, a prefix, a name, or a place in the order", async () => {
    const { sessions } = await given()
    for (const id of [
      `memory:${CWD}/one-and-only`,
      "one",
      "and-only",
      "first",
      "@last",
      "",
      "/etc/passwd",
      "../x.jsonl",
    ])
      await expect(sessions.open({ id })).rejects.toMatchObject({ code: "SessionNotFoundError", data: { ref: id } })
  })

  it("that is none is refused", async () => {
    const { sessions } = await given()
    for (const ref of [null, undefined, 5, {}, { id: 5 }, ["one-and-only"]])
      await expect(sessions.open(ref as never)).rejects.toMatchObject({
        code: "InvalidArgumentError",
        data: { argument: "ref" },
      })
  })
})

describe("a manager without `anyFile`", () => {
  it("takes every reference to a session that the store lists", async () => {
    const { limited } = await given()
    const key = `memory:${CWD}/one-and-only`
    for (const ref of [key, "one-and-only", "first", { id: "one-and-only" }])
      expect(await limited.resolve(ref)).toBe(key)
    expect((await limited.readContext("@last")).messages).toHaveLength(1)
    const session = await limited.create(CWD)
    session.appendMessage(userMessage("a"))
    await session.close()
    expect((await limited.continueRecent(CWD)).getSessionFile()).toBe(keyOf(session))
  })

  it("refuses paths elsewhere, whatever is asked for, and creates nothing there", async () => {
    const { limited, storage } = await given()
    const session = await limited.open({ id: "other" })
    for (const ref of ["memory:/elsewhere/new", `memory:${CWD}/../x`]) {
      const refused = { code: "SessionOutsideStoreError", data: { ref } }
      await expect(limited.resolve(ref)).rejects.toMatchObject(refused)
      await expect(limited.open(ref)).rejects.toMatchObject(refused)
      await expect(limited.open(ref, { access: "read" })).rejects.toMatchObject(refused)
      await expect(limited.readContext(ref)).rejects.toMatchObject(refused)
      await expect(limited.forkFrom(ref, CWD)).rejects.toMatchObject(refused)
      await expect(limited.delete(ref)).rejects.toMatchObject(refused)
      await expect(session.setSessionFile(ref)).rejects.toMatchObject(refused)
      expect(await storage.stat(ref)).toBeUndefined()
    }
  })

  it("asks a storage that knows where its sessions are, which need not be there yet", async () => {
    const sessions = new SessionManager({ storage: new MemorySessionStorage() })
    expect(await sessions.resolve("memory:/elsewhere/new")).toBe("memory:/elsewhere/new")
  })

  it("continues the session that this terminal left", async () => {
    const { limited, storage } = await given()
    const { sessions } = givenManager(storage, 100)
    const session = await sessions.create(CWD, { persist: "create" })
    await session.close()
    expect((await limited.continueRecent(CWD)).getSessionFile()).toBe(keyOf(session))
  })
})
