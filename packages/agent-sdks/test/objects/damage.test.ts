import { ClaudeSessionStore } from "@treelog/agent-sdks/claude"
import { SessionManager, type SessionStorage } from "@treelog/session-core"
import { migrateSession, repairSession } from "@treelog/session-core/maintenance"
import { describe, expect, test } from "vitest"
import { emptyStorage, removeFoldersAfterAll, STORAGES } from "../storages.js"

removeFoldersAfterAll()

const KEY = { projectKey: "p", sessionId: "s" }
const ENTRIES = [{ type: "a" }, { type: "b" }]

/** A storage with one transcript, and the key of its object. */
async function stored(kind: (typeof STORAGES)[number]) {
  const storage = emptyStorage(kind)
  const store = new ClaudeSessionStore({ storage })
  await store.append(KEY, ENTRIES)
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  const [key = ""] = keys
  return { storage, store, key }
}

/** Changes the stored bytes as a killed program, or a damaged disk, would. */
async function damage(storage: SessionStorage, key: string, change: (text: string) => string): Promise<void> {
  const expected = await storage.stat(key)
  if (!expected) throw new Error(`nothing is stored under ${key}`)
  const bytes = await storage.readRange(key, 0, expected.size)
  const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
  await lease.replace([new TextEncoder().encode(change(new TextDecoder().decode(bytes)))], { expected })
  await lease.release()
}

describe.each(STORAGES)("a stored object %s", (kind) => {
  test("is read without what a killed writer left of a line, which the next append removes", async () => {
    const { storage, store, key } = await stored(kind)
    await damage(storage, key, (text) => `${text}{"type":"torn`)
    expect(await store.load(KEY)).toEqual(ENTRIES)
    await store.append(KEY, [{ type: "c" }])
    expect(await store.load(KEY)).toEqual([...ENTRIES, { type: "c" }])
  })

  test("is created again where its creation was interrupted before the first byte", async () => {
    const { storage, store, key } = await stored(kind)
    await damage(storage, key, () => "")
    expect(await store.load(KEY)).toBeNull()
    expect(await store.listSessions(KEY.projectKey)).toEqual([])
    await store.append(KEY, ENTRIES)
    expect(await store.load(KEY)).toEqual(ENTRIES)
  })

  test("is reported with the line when a line is damaged, and is not changed", async () => {
    const { storage, store, key } = await stored(kind)
    await damage(storage, key, (text) => text.replace('{"type":"b"}', '{"type":b}'))
    await expect(store.load(KEY)).rejects.toMatchObject({
      code: "StorageError",
      message: `Line 3 of ${key} is damaged: it is not JSON. Restore the object from a backup.`,
    })
  })

  test("is reported when something else is stored in its place", async () => {
    const { storage, store, key } = await stored(kind)
    await damage(storage, key, () => "not an object\n")
    const error = { code: "InvalidSessionError", data: { key, found: "not an object" } }
    await expect(store.load(KEY)).rejects.toMatchObject(error)
    await expect(store.listSessions(KEY.projectKey)).rejects.toMatchObject(error)
  })

  test("is no session of treelog, which refuses to open, migrate and repair it", async () => {
    const { storage, store, key } = await stored(kind)
    const likeEntry = { type: "message", id: "a1b2c3d4", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" }
    await store.append(KEY, [likeEntry])
    const sessions = new SessionManager({ storage })
    const error = { code: "InvalidSessionError" }
    await expect(sessions.open(key)).rejects.toMatchObject(error)
    await expect(migrateSession(sessions, key)).rejects.toMatchObject(error)
    await expect(repairSession(sessions, key)).rejects.toMatchObject(error)
    expect(await store.load(KEY)).toEqual([...ENTRIES, likeEntry])
  })

  test("is not listed with sessions of treelog in the same folder, nor they with it", async () => {
    const { storage, store } = await stored(kind)
    const session = await new SessionManager({ storage }).create("/claude/p/session")
    session.appendMessage({ role: "user", content: "Hello", timestamp: 0 })
    await session.close()
    expect(await store.listSessions(KEY.projectKey)).toMatchObject([{ sessionId: "s" }])
  })

  test("can be changed after a holder that keeps it too long was reported", async () => {
    const { storage, store, key } = await stored(kind)
    const impatient = new ClaudeSessionStore({ storage, waitMs: 0 })
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
    await expect(impatient.append(KEY, ENTRIES)).rejects.toMatchObject({ code: "SessionBusyError" })
    await lease.release()
    await impatient.append(KEY, [{ type: "c" }])
    expect(await store.load(KEY)).toEqual([...ENTRIES, { type: "c" }])
  })
})

test("a prefix that could leave the storage's folder is refused", () => {
  const make = () => new ClaudeSessionStore({ storage: emptyStorage("in memory"), prefix: "../x" })
  expect(make).toThrow(expect.objectContaining({ code: "InvalidArgumentError" }))
})
