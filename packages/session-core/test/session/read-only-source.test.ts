import { MemoryBlobStore, MemorySessionStorage, SessionManager, type SessionSource } from "@treelog/session-core"
import { isWritable, type ListFilter } from "@treelog/session-core/adapter"
import {
  importSession,
  inflateSession,
  moveSession,
  relocateSession,
  repairSession,
  slimSession,
  verifySession,
} from "@treelog/session-core/maintenance"
import { createSync, openSync } from "@treelog/session-core/sync"
import { describe, expect, it } from "vitest"

/** What another program has stored: it can be read, and has no methods that write. */
function sourceOf(storage: MemorySessionStorage): SessionSource {
  return {
    keyFromRef: (ref) => storage.keyFromRef(ref),
    folderOf: (key) => storage.folderOf(key),
    stat: (key) => storage.stat(key),
    list: (filter?: ListFilter) => storage.list(filter),
    find: (id) => storage.find(id),
    readRange: (...range) => storage.readRange(...(range as [string, number, number])),
    artifacts: () => storage.artifacts(),
    parts: () => storage.parts(),
    watch: undefined,
  }
}

async function setup() {
  const storage = new MemorySessionStorage()
  const session = await new SessionManager({ storage }).create("/home/ada/shop", { persist: "create" })
  session.appendMessage({ role: "user", content: "hello", timestamp: 1 })
  await session.close()
  const key = session.getSessionFile() ?? ""
  const manager = new SessionManager({ storage: sourceOf(storage), blobs: new MemoryBlobStore() })
  return { storage, manager, key, id: session.getSessionId() }
}

/** As a program calls them that has no types: with types, each is an error. */
const WRITES: Readonly<Record<string, (manager: SessionManager, key: string) => unknown>> = {
  create: (manager) => manager.create("/home/ada/shop"),
  createSync: (manager) => createSync(manager, "/home/ada/shop"),
  open: (manager, key) => manager.open(key),
  "open, shared": (manager, key) => manager.open(key, { access: "shared" }),
  continueRecent: (manager) => manager.continueRecent("/home/ada/shop"),
  "continueRecent elsewhere": (manager) => manager.continueRecent("/home/ada/other"),
  forkFrom: (manager, key) => manager.forkFrom(key, "/home/ada/other"),
  import: (manager, key) => importSession(manager, key),
  delete: (manager, key) => manager.delete(key),
  move: (manager, key) => moveSession(manager, key, "/home/ada/other"),
  relocate: (manager, key) => relocateSession(manager, key, "/home/ada/other"),
  repair: (manager, key) => repairSession(manager, key),
  slim: (manager, key) => slimSession(manager, key),
  inflate: (manager, key) => inflateSession(manager, key),
  "a new session of one that is read": async (manager, key) =>
    (await manager.open(key, { access: "read" })).newSession(),
  "another session in the place of one that is read": async (manager, key) =>
    (await manager.open(key, { access: "read" })).setSessionFile(key),
  "a branch of one that is read": async (manager, key) => {
    const session = await manager.open(key, { access: "read" })
    return session.createBranchedSession(session.getLeafId() ?? "")
  },
}

describe("a source that can only be read", () => {
  it.each(Object.entries(WRITES))("refuses %s, and says what to do instead", async (_, write) => {
    const { storage, manager, key } = await setup()
    const before = await storage.stat(key)
    const writing = (async () => write(manager as unknown as SessionManager, key))()
    await expect(writing).rejects.toMatchObject({
      code: "ReadOnlyStorageError",
      data: { instead: "treelog import --from STORE ID" },
    })
    expect(await storage.stat(key)).toEqual(before)
  })

  it("is not taken for a storage, neither at run time nor by its type", async () => {
    const { storage, manager, key } = await setup()
    expect([storage, manager.storage].map(isWritable)).toEqual([true, false])
    // @ts-expect-error: a manager of a source creates none
    await expect(manager.create("/home/ada/shop")).rejects.toThrow("only read")
    // @ts-expect-error: it opens sessions for reading alone
    await expect(manager.open(key)).rejects.toThrow("only read")
  })

  it("takes blobs that are only read, which no session can be written with", async () => {
    const { storage, key } = await setup()
    const { get, has, size, list, openRead } = new MemoryBlobStore()
    const sessions = new SessionManager({ storage, blobs: { get, has, size, list, openRead } })
    await (await sessions.open(key, { access: "read" })).close()
    await expect(sessions.create("/home/ada/shop")).rejects.toMatchObject({
      code: "InvalidArgumentError",
      data: { argument: "blobs" },
    })
  })

  it("fails with a plain error where it is opened without promises", async () => {
    const { manager, key } = await setup()
    expect(() => openSync(manager as unknown as SessionManager, key)).toThrow("has no leaseSync")
  })

  it("is listed and read", async () => {
    const { manager, key, id } = await setup()
    expect((await manager.recent("/home/ada/shop", 1))[0]).toMatchObject({ id })
    const session = await manager.open(key, { access: "read" })
    expect(session.getEntries()).toHaveLength(1)
    await session.close()
    expect((await manager.readContext(key)).messages).toHaveLength(1)
    expect(await verifySession(manager, key)).toMatchObject({ ok: true })
  })
})
