import { writeFile } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { type FsPort, nodeFs } from "@treelog/storage-fs"
import { systemError } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { contentOf, expectArtifacts, fillArtifacts } from "./scene.js"
import { AT_ONCE, bytes, killOwners, namesIn, newKey, stored, storeIn, tempDir } from "./store.js"

const NOW = Date.parse("2026-03-07T15:30:00.250Z")

/** A disk that takes no new name and no new byte; folders only where it is said so. */
function fullDisk(errno: string, takes: { folders: boolean }): FsPort {
  const refusedNow = (operation: string) => (): never => {
    throw systemError(errno, operation)
  }
  const refused = (operation: string) => async () => refusedNow(operation)()
  return {
    ...nodeFs,
    open: (path, flags, mode) =>
      flags === "r" || typeof flags === "number" ? nodeFs.open(path, flags, mode) : refused("open")(),
    openSync: (path, flags, mode) =>
      flags === undefined || typeof flags === "number" ? nodeFs.openSync(path, flags, mode) : refusedNow("openSync")(),
    link: refused("link"),
    linkSync: refusedNow("linkSync"),
    symlink: refused("symlink"),
    mkdir: (path, options) => (takes.folders ? nodeFs.mkdir(path, options) : refused("mkdir")()),
    mkdirSync: (path, options) => (takes.folders ? nodeFs.mkdirSync(path, options) : refusedNow("mkdirSync")()),
  }
}

async function given(errno = "ENOSPC", takes = { folders: true }) {
  const agentDir = await tempDir()
  const { key, lease } = await stored(await storeIn(agentDir), "one\n")
  await fillArtifacts(key)
  const storage = await storeIn(agentDir, { fs: fullDisk(errno, takes) })
  return { agentDir, storage, key, lease }
}

describe.each(["ENOSPC", "EDQUOT"])("on a disk that is full (%s)", (errno) => {
  it("a session goes to the trash, and is removed there for good", async () => {
    const { storage, key, lease } = await given(errno)
    await lease.release()
    const path = await storage.trash.put(key, { now: NOW })
    await expectArtifacts(path)
    await storage.trash.remove(path)
    expect(await namesIn(dirname(key))).toEqual([])
  })

  it("a session is deleted", async () => {
    const { storage, key, lease } = await given(errno)
    await lease.release()
    await new SessionManager({ storage }).delete(key)
    expect(await namesIn(dirname(key))).toEqual([])
  })

  it("the trash is emptied where not even a folder can be made; what cannot go there stays as it is", async () => {
    const { agentDir, key, lease } = await given()
    await lease.release()
    const other = await stored(await storeIn(agentDir), "two\n")
    await other.lease.release()
    const path = await (await storeIn(agentDir)).trash.put(other.key, { now: NOW })
    const storage = await storeIn(agentDir, { fs: fullDisk(errno, { folders: false }) })
    const refused = { code: "StorageError", data: { errno } }
    await expect(storage.trash.put(key, { now: NOW })).rejects.toMatchObject(refused)
    expect(await contentOf(key)).toBe("one\n")
    await expectArtifacts(key)
    await storage.trash.remove(path)
    expect(await namesIn(dirname(key))).toEqual([basename(key, ".jsonl"), basename(key)])
  })

  it("what somebody holds is not removed", async () => {
    const { storage, key, lease } = await given(errno)
    const busy = { code: "SessionBusyError", data: { pid: process.pid } }
    await expect(storage.trash.put(key, { now: NOW })).rejects.toMatchObject(busy)
    await expect(new SessionManager({ storage }).delete(key)).rejects.toMatchObject(busy)
    await lease.append(bytes("two\n"), (await storage.stat(key)) ?? { size: 0, modified: 0, identity: "" })
    await lease.release()
    expect(await contentOf(key)).toBe("one\ntwo\n")
  })

  it("the lock of a dead process is no hindrance, and one that cannot be read is, while it is young", async () => {
    const { storage, key } = await given(errno)
    await killOwners(dirname(key))
    expect(await contentOf(await storage.trash.put(key, { now: NOW }))).toBe("one\n")
    const other = await given(errno)
    await other.lease.release()
    await writeFile(`${other.key}.lock`, "")
    const busy = { code: "SessionBusyError", data: { pid: 0 } }
    await expect(other.storage.trash.put(other.key, { now: NOW })).rejects.toMatchObject(busy)
  })

  it("nothing is written without a lock: neither a lease for writing nor a restore", async () => {
    const { storage, key, lease } = await given(errno)
    await lease.release()
    const refused = { code: "StorageError", data: { errno } }
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject(refused)
    await expect(storage.lease(newKey(storage), AT_ONCE)).rejects.toMatchObject(refused)
    const path = await storage.trash.put(key, { now: NOW })
    await expect(storage.trash.restore(path)).rejects.toMatchObject(refused)
    expect(await contentOf(path)).toBe("one\n")
  })

  it("of two who remove at once, one does, and the other finds nothing", async () => {
    const { storage, key, lease } = await given(errno)
    await lease.release()
    const outcomes = await Promise.allSettled([1, 2].map(() => storage.trash.put(key, { now: NOW })))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    const [path = ""] = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []))
    expect(await contentOf(path)).toBe("one\n")
    await expectArtifacts(path)
  })
})
