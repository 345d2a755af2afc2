import { MemorySessionStorage } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { createSync, forkSync, openSync } from "@treelog/session-core/sync"
import { assistantMessage, userMessage } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { AsyncMemoryStorage } from "../async-memory-storage.js"
import { CWD, givenManager, keyOf } from "./given-manager.js"
import { storedRecords, storedText } from "./stored-bytes.js"

describe("flushSync", () => {
  it("stores what was appended before it returns", () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD)
    session.appendMessage(userMessage("now"))
    expect(storage.statSync(keyOf(session))).toBeUndefined()
    session.flushSync()
    expect(storage.statSync(keyOf(session))?.size).toBeGreaterThan(0)
    expect(session.pending).toBe(0)
  })

  it("is refused with a StorageError by a storage that needs promises, and loses nothing", async () => {
    const { storage, sessions } = givenManager(new AsyncMemoryStorage())
    const session = await sessions.create(CWD)
    session.appendMessage(userMessage("later"))
    expect(() => session.flushSync()).toThrow(
      expect.objectContaining({ code: "StorageError", data: expect.objectContaining({ operation: "flushSync" }) }),
    )
    await session.flush()
    expect(await storedRecords(storage, keyOf(session))).toHaveLength(2)
  })

  it("stores a text that is too long for a line without a blob store as it is", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD)
    session.appendMessage(userMessage("x".repeat(600_000)))
    session.flushSync()
    await session.close()
    expect(await storedText(storage, keyOf(session))).toContain("x".repeat(600_000))
  })

  it("reads what another session appended, and keeps the order of both", async () => {
    const { storage, sessions } = givenManager()
    const one = createSync(sessions, CWD, { access: "shared" })
    one.appendMessage(userMessage("one"))
    one.flushSync()
    const two = openSync(givenManager(storage, 50).sessions, keyOf(one), { access: "shared" })
    two.appendMessage(userMessage("two"))
    two.flushSync()
    one.appendMessage(userMessage("three"))
    one.flushSync()
    expect(one.getEntries()).toHaveLength(3)
    expect(await storedRecords(storage, keyOf(one))).toHaveLength(4)
    expect((await verifySession(sessions, keyOf(one))).diagnostics).toEqual([])
  })

  it("does not disturb a session that another one holds, which can be flushed when it is free", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD)
    session.appendMessage(userMessage("kept"))
    const lease = storage.leaseSync(keyOf(session))
    expect(() => session.flushSync()).toThrow(expect.objectContaining({ code: "PersistError" }))
    lease.releaseSync()
    session.flushSync()
    expect(await storedRecords(storage, keyOf(session))).toHaveLength(2)
  })
})

describe("a session that writes through", () => {
  const THROUGH = { persist: "append" } as const

  it("has stored each entry when the append returns", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD, { ...THROUGH, access: "shared" })
    for (let count = 1; count <= 3; count++) {
      session.appendMessage(userMessage(`number ${count}`))
      expect(await storedRecords(storage, keyOf(session))).toHaveLength(count + 1)
    }
  })

  it("makes its file with the message that opens it, and what came before", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD, { persist: "pi" })
    session.appendMessage(userMessage("a question"))
    expect(await storage.stat(keyOf(session))).toBeUndefined()
    session.appendMessage(assistantMessage("an answer"))
    expect(await storedRecords(storage, keyOf(session))).toHaveLength(3)
  })

  it("is refused by a storage that needs promises", () => {
    const { sessions } = givenManager(new AsyncMemoryStorage())
    expect(() => createSync(sessions, CWD, THROUGH)).toThrow(expect.objectContaining({ code: "StorageError" }))
  })

  it("keeps an entry that cannot be written, and writes it before the next one", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD, THROUGH)
    const lease = storage.leaseSync(keyOf(session))
    expect(() => session.appendMessage(userMessage("first"))).toThrow(expect.objectContaining({ code: "PersistError" }))
    expect([session.pending, session.getEntries().length]).toEqual([1, 1])
    lease.releaseSync()
    const second = session.appendMessage(userMessage("second"))
    expect(session.getBranch(second)).toHaveLength(2)
    expect(await storedRecords(storage, keyOf(session))).toHaveLength(3)
  })

  it("writes nothing while its session is gone, and all of it once it is stored again", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD, { ...THROUGH, access: "shared" })
    session.appendMessage(userMessage("first"))
    const lease = storage.leaseSync(keyOf(session))
    await lease.remove()
    lease.releaseSync()
    for (const text of ["second", "third"])
      expect(() => session.appendMessage(userMessage(text))).toThrow(expect.objectContaining({ code: "PersistError" }))
    await session.retry({ recreate: true })
    expect(await storedRecords(storage, keyOf(session))).toHaveLength(4)
  })
})

describe("a session that is made or opened without promises", () => {
  it("starts with the entries of another one, which keep their ids", async () => {
    const { storage, sessions } = givenManager()
    const first = sessions.inMemory(CWD)
    first.appendMessage(userMessage("a"))
    first.appendMessage(assistantMessage("b"))
    const session = createSync(sessions, CWD, { entries: first.getEntries() })
    await session.flush()
    expect((await storedRecords(storage, keyOf(session))).slice(1)).toEqual(first.getEntries())
    expect(session.getLeafId()).toBe(first.getLeafId())
  })

  it("reads the same as one that is opened with promises", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD, { persist: "append" })
    for (let count = 0; count < 50; count++) session.appendMessage(userMessage(`number ${count}`))
    await session.close()
    const opened = openSync(sessions, keyOf(session))
    expect(opened.getEntries()).toEqual(session.getEntries())
    expect(opened.getLeafId()).toBe(session.getLeafId())
    await opened.close()
    expect(storage.statSync(keyOf(session))).toEqual(await storage.stat(keyOf(session)))
  })

  it("is copied whole with another folder and a link to its source", async () => {
    const { storage, sessions } = givenManager()
    const session = createSync(sessions, CWD, { persist: "append" })
    session.appendMessage(userMessage("a"))
    await session.close()
    const fork = forkSync(sessions, keyOf(session), "/elsewhere")
    expect(fork.getHeader()).toMatchObject({ cwd: "/elsewhere", parentSession: keyOf(session) })
    const [, ...lines] = ((await storedText(storage, keyOf(session))) ?? "").split("\n")
    expect(((await storedText(storage, keyOf(fork))) ?? "").split("\n").slice(1)).toEqual(lines)
    expect(() => forkSync(sessions, "memory:/nothing/there", CWD)).toThrow(
      expect.objectContaining({ code: "SessionNotFoundError" }),
    )
  })

  it("is brought to the current version, with a backup", async () => {
    const { storage, sessions } = givenManager(new MemorySessionStorage())
    const key = storage.keyFor({ cwd: CWD, id: "old", timestamp: "2026-03-07T14:00:00.000Z" })
    const header = { type: "session", id: "old", timestamp: "2026-03-07T14:00:00.000Z", cwd: CWD }
    const entry = { type: "message", timestamp: "2026-03-07T14:00:01.000Z", message: userMessage("old") }
    const text = `${JSON.stringify(header)}\n${JSON.stringify(entry)}\n`
    const lease = storage.leaseSync(key)
    lease.createSync([new TextEncoder().encode(text)])
    lease.releaseSync()
    const session = openSync(sessions, key)
    expect(session.getEntries()).toMatchObject([{ type: "message", parentId: null }])
    expect(await storedText(storage, `${key}.v1.bak`)).toBe(text)
    expect((await storedRecords(storage, key))[0]).toMatchObject({ version: 3 })
  })
})
