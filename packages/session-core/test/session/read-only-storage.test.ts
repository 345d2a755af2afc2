import { MemoryBlobStore, MemorySessionStorage, SessionManager, TreelogError } from "@treelog/session-core"
import type { Lease } from "@treelog/session-core/adapter"
import {
  importSession,
  inflateSession,
  moveSession,
  relocateSession,
  repairSession,
  slimSession,
  verifySession,
} from "@treelog/session-core/maintenance"
import { describe, expect, it } from "vitest"

const INSTEAD = "copy it first"

/** A storage that is read-only from some moment on. */
class LockedStorage extends MemorySessionStorage {
  isLocked = false
  readonly writes: string[] = []

  override keyFor(place: Parameters<MemorySessionStorage["keyFor"]>[0]): string {
    if (this.isLocked) throw this.#refusal("memory:")
    return super.keyFor(place)
  }

  override async lease(key: string, options: Parameters<MemorySessionStorage["lease"]>[1]): Promise<Lease> {
    if (this.isLocked) throw this.#refusal(key)
    return super.lease(key, options)
  }

  override async leaseAndAppend(
    ...args: Parameters<MemorySessionStorage["leaseAndAppend"]>
  ): ReturnType<MemorySessionStorage["leaseAndAppend"]> {
    if (this.isLocked) throw this.#refusal(args[0])
    return super.leaseAndAppend(...args)
  }

  #refusal(key: string): TreelogError {
    return new TreelogError("ReadOnlyStorageError", `Read-only: ${INSTEAD}.`, { key, instead: INSTEAD })
  }
}

async function setup() {
  const storage = new LockedStorage()
  const blobs = new MemoryBlobStore()
  const manager = new SessionManager({ storage, blobs })
  const session = await manager.create("/home/ada/shop", { persist: "create" })
  session.appendMessage({ role: "user", content: "hello", timestamp: 1 })
  await session.close()
  const key = session.getSessionFile() ?? ""
  storage.isLocked = true
  return { storage, manager, key, id: session.getSessionId() }
}

const WRITES: Readonly<Record<string, (manager: SessionManager, key: string) => Promise<unknown>>> = {
  create: (manager) => manager.create("/home/ada/shop"),
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
}

describe("a storage that can only be read", () => {
  for (const [name, write] of Object.entries(WRITES))
    it(`refuses ${name}, and says what to do instead`, async () => {
      const { storage, manager, key } = await setup()
      const before = await storage.stat(key)
      await expect(write(manager, key)).rejects.toMatchObject({
        code: "ReadOnlyStorageError",
        data: { instead: INSTEAD },
      })
      expect(await storage.stat(key)).toEqual(before)
    })

  it("is listed and read", async () => {
    const { manager, key, id } = await setup()
    expect((await manager.recent("/home/ada/shop", 1))[0]).toMatchObject({ id })
    const session = await manager.open(key, { access: "read" })
    expect(session.getEntries()).toHaveLength(1)
    await session.close()
    expect((await manager.readContext(key)).messages).toHaveLength(1)
    expect(await verifySession(manager, key)).toBeDefined()
  })
})
