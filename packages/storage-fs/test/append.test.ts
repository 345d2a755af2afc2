import { appendFileSync } from "node:fs"
import { appendFile, readFile, rename, truncate, unlink, writeFile } from "node:fs/promises"
import { isTreelogError } from "@treelog/session-core"
import type { StorageStat } from "@treelog/session-core/adapter"
import { type FileSessionStorage, type FsPort, nodeFs } from "@treelog/storage-fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { holdSyncs } from "./held-syncs.js"
import { AT_ONCE, bytes, newKey, stored, storeIn, tempDir } from "./store.js"

async function statOf(storage: FileSessionStorage, key: string): Promise<StorageStat> {
  const stat = await storage.stat(key)
  if (stat === undefined) throw new Error(`nothing at ${key}`)
  return stat
}

describe("an append", () => {
  it("never makes a file, nor writes to one that lost its name", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "one\n")
    const stat = await lease.append(bytes("two\n"), await statOf(storage, key))
    await unlink(key)
    await expect(lease.append(bytes("three\n"), stat)).rejects.toMatchObject({ data: { change: "gone" } })
    await expect(storage.stat(key)).resolves.toBeUndefined()
    const written = {
      code: "SessionChangedError",
      data: { change: "gone" },
      message: expect.stringContaining("while lines were written"),
    }
    await expect(lease.sync()).rejects.toMatchObject(written)
    await lease.release()
  })

  it("notices an editor that replaced the file, and goes to the new one once the caller knows it", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "one\n")
    const stat = await lease.append(bytes("two\n"), await statOf(storage, key))
    await writeFile(`${key}.new`, "ONE\nTWO\n")
    await rename(`${key}.new`, key)
    await expect(lease.append(bytes("three\n"), stat)).rejects.toMatchObject({ data: { change: "replaced" } })
    await lease.append(bytes("three\n"), await statOf(storage, key))
    await lease.sync()
    expect(await readFile(key, "utf8")).toBe("ONE\nTWO\nthree\n")
    await lease.release()
  })

  it("notices a writer that knows no lease", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "one\n")
    const stat = await statOf(storage, key)
    await appendFile(key, "theirs\n")
    await expect(lease.append(bytes("two\n"), stat)).rejects.toMatchObject({ data: { change: "grown" } })
    await truncate(key, 2)
    await expect(lease.append(bytes("two\n"), stat)).rejects.toMatchObject({ data: { change: "shrunk" } })
    expect(await readFile(key, "utf8")).toBe("on")
    await lease.release()
  })

  it("lands behind what such a writer adds at the same moment, and returns the size of both", async () => {
    const agentDir = await tempDir()
    const { key, lease: first } = await stored(await storeIn(agentDir), "one\n")
    await first.release()
    let isFirst = true
    const fs = onWrite(() => {
      if (isFirst) appendFileSync(key, "theirs\n")
      isFirst = false
    })
    const storage = await storeIn(agentDir, { fs })
    const lease = await storage.lease(key, AT_ONCE)
    const stat = await lease.append(bytes("ours\n"), await statOf(storage, key))
    await lease.append(bytes("more\n"), stat)
    await lease.sync()
    expect(await readFile(key, "utf8")).toBe("one\ntheirs\nours\nmore\n")
    await lease.release()
  })

  it("that fails cuts off its own part, and never what another program added", async () => {
    const agentDir = await tempDir()
    const { key, lease: first } = await stored(await storeIn(agentDir), "one\n")
    await first.release()
    const failing = onWrite((write) => {
      write(3)
      appendFileSync(key, "theirs\n")
      throw Object.assign(new Error("EIO"), { code: "EIO" })
    })
    const storage = await storeIn(agentDir, { fs: failing })
    const lease = await storage.lease(key, AT_ONCE)
    const error = await lease.append(bytes("ours\n"), await statOf(storage, key)).catch((reason: unknown) => reason)
    expect(isTreelogError(error, "StorageError") && error.data).toEqual({ key, operation: "append", errno: "EIO" })
    expect(await readFile(key, "utf8")).toBe("one\nourtheirs\n")
    await lease.release()
  })

  it("that fails leaves what another program added in place of its own part", async () => {
    const agentDir = await tempDir()
    const { key, lease: first } = await stored(await storeIn(agentDir), "one\n")
    await first.release()
    const failing = onWrite(() => {
      appendFileSync(key, "hi\n")
      throw Object.assign(new Error("EIO"), { code: "EIO" })
    })
    const storage = await storeIn(agentDir, { fs: failing })
    const lease = await storage.lease(key, AT_ONCE)
    await expect(lease.append(bytes("ours\n"), await statOf(storage, key))).rejects.toThrow("EIO")
    expect(await readFile(key, "utf8")).toBe("one\nhi\n")
    await lease.release()
  })

  it("is not disturbed by an interruption", async () => {
    const agentDir = await tempDir()
    const { key, lease: first } = await stored(await storeIn(agentDir), "one\n")
    await first.release()
    const faulty = new FaultFs(nodeFs, { fault: "EINTR", operation: "file.writeSync", times: 3 }, { armed: false })
    const storage = await storeIn(agentDir, { fs: faulty.fs })
    const lease = await storage.lease(key, AT_ONCE)
    faulty.arm()
    await lease.append(bytes("two\n"), await statOf(storage, key))
    expect(faulty.hit).toBe("file.writeSync")
    expect(await readFile(key, "utf8")).toBe("one\ntwo\n")
    await lease.release()
    const reading = new FaultFs(nodeFs, { fault: "EINTR", operation: "file.read", times: 3 })
    const read = await (await storeIn(agentDir, { fs: reading.fs })).readRange(key, 4, 3)
    expect(new Uint8Array(read)).toEqual(bytes("two"))
  })

  it("cuts its part off later, where it cannot at once", async () => {
    for (const when of ["before the next append", "when the lease ends"]) {
      const agentDir = await tempDir()
      const { key, lease: first } = await stored(await storeIn(agentDir), "one\n")
      await first.release()
      const full = new FaultFs(nodeFs, { fault: "short-ENOSPC", operation: "file.writeSync" }, { armed: false })
      const stuck = new FaultFs(full.fs, { fault: "EIO", operation: "file.truncateSync" })
      const storage = await storeIn(agentDir, { fs: stuck.fs })
      const lease = await storage.lease(key, AT_ONCE)
      const stat = await statOf(storage, key)
      full.arm()
      await expect(lease.append(bytes("two\n"), stat)).rejects.toMatchObject({ data: { errno: "ENOSPC" } })
      expect(await readFile(key, "utf8")).toBe("one\ntw")
      if (when.startsWith("before")) await lease.append(bytes("2\n"), stat)
      await lease.release()
      expect(await readFile(key, "utf8")).toBe(when.startsWith("before") ? "one\n2\n" : "one\n")
    }
  })
})

describe("a sync", () => {
  it("that failed is followed by one that writes the bytes again, for the kernel may have forgotten them", async () => {
    const agentDir = await tempDir()
    const key = newKey(await storeIn(agentDir))
    let isBroken = true
    // A disk that fails at the first sync, after which the cache shows what was on the disk before: zeros.
    const fs: FsPort = {
      ...nodeFs,
      openSync: (path, flags, mode) => {
        const file = nodeFs.openSync(path, flags, mode)
        const datasync = async () => {
          if (!isBroken) return
          isBroken = false
          const { size } = file.statSync({ bigint: true })
          const forgetful = await nodeFs.open(key, "r+")
          await forgetful.write(new Uint8Array(Number(size) - 4), 0, Number(size) - 4, 4)
          await forgetful.close()
          throw Object.assign(new Error("EIO"), { code: "EIO" })
        }
        return Object.assign(file, { datasync })
      },
    }
    const storage = await storeIn(agentDir, { fs })
    const lease = await storage.lease(key, AT_ONCE)
    const one = await lease.create([bytes("one\n")])
    const two = await lease.append(bytes("two\n"), one)
    await lease.append(bytes("three\n"), two)
    await expect(lease.sync()).rejects.toMatchObject({ data: { operation: "sync", errno: "EIO" } })
    expect(await readFile(key, "utf8")).not.toContain("two")
    await lease.sync()
    expect(await readFile(key, "utf8")).toBe("one\ntwo\nthree\n")
    await lease.release()
  })

  it("makes durable also what was appended while another sync, which ends later, was under way", async () => {
    let syncs = 0
    const { fs, held } = holdSyncs((file) => {
      const datasync = file.datasyncSync.bind(file)
      return {
        datasyncSync: () => {
          syncs++
          datasync()
        },
      }
    })
    const storage = await storeIn(undefined, { fs })
    const lease = storage.leaseSync(newKey(storage), AT_ONCE)
    const stat = lease.appendSync(bytes("two\n"), lease.createSync([bytes("one\n")]))
    const slow = lease.sync()
    await expect.poll(() => held).toHaveLength(1)
    lease.syncSync()
    lease.appendSync(bytes("three\n"), stat)
    held[0]?.()
    await slow
    lease.syncSync()
    expect(syncs).toBe(2)
    lease.releaseSync()
  })

  it("that failed is not made good by an earlier one that ends later", async () => {
    let isBroken = true
    const again: number[] = []
    const { fs, held } = holdSyncs((file) => {
      const { writeSync } = file
      return {
        datasyncSync: () => {
          if (isBroken) throw Object.assign(new Error("EIO"), { code: "EIO" })
        },
        writeSync: (buffer, offset, length, position) => {
          if (position !== null) again.push(position)
          return writeSync.call(file, buffer, offset, length, position)
        },
      }
    })
    const storage = await storeIn(undefined, { fs })
    const lease = storage.leaseSync(newKey(storage), AT_ONCE)
    const stat = lease.appendSync(bytes("two\n"), lease.createSync([bytes("one\n")]))
    const slow = lease.sync()
    await expect.poll(() => held).toHaveLength(1)
    lease.appendSync(bytes("three\n"), stat)
    again.length = 0
    expect(() => lease.syncSync()).toThrow(expect.objectContaining({ data: expect.objectContaining({ errno: "EIO" }) }))
    held[0]?.()
    await slow
    isBroken = false
    again.length = 0
    lease.syncSync()
    expect(again).toContain("one\ntwo\n".length)
    lease.releaseSync()
  })

  it("of a new session makes its name durable, and those of new folders", async () => {
    const agentDir = await tempDir()
    const synced: string[] = []
    const fs: FsPort = {
      ...nodeFs,
      open: async (path, flags, mode) => {
        const file = await nodeFs.open(path, flags, mode)
        const sync = file.sync.bind(file)
        file.sync = () => sync().then(() => void synced.push(path.slice(agentDir.length)))
        return file
      },
      openSync: (path, flags, mode) => {
        const file = nodeFs.openSync(path, flags, mode)
        const { sync } = file
        return Object.assign(file, { sync: () => sync().then(() => void synced.push(path.slice(agentDir.length))) })
      },
    }
    const { lease } = await stored(await storeIn(agentDir, { fs }), "{}\n")
    expect(synced).toEqual([expect.stringMatching(/\.tmp$/)])
    await lease.sync()
    expect(synced.slice(1).sort()).toEqual(["", "/sessions", "/sessions/--home-user-project--"])
    await lease.sync()
    expect(synced).toHaveLength(4)
    await lease.release()
  })

  it("happens by itself before too much is at stake", async () => {
    const faulty = new FaultFs(nodeFs)
    const { lease, key } = await stored(await storeIn(undefined, { fs: faulty.fs }), "")
    const megabytes = new Uint8Array(6 * 1024 * 1024)
    let stat = await statOf(await storeIn(), key)
    for (let count = 0; count < 4; count++) stat = await lease.append(megabytes, stat)
    expect(faulty.calls.filter((call) => call === "file.datasyncSync")).toHaveLength(1)
    await lease.release()
  })
})

/** The file system, with something happening before each write to a session. */
function onWrite(happen: (write: (length: number) => number) => void): FsPort {
  return {
    ...nodeFs,
    openSync: (path, flags, mode) => {
      const file = nodeFs.openSync(path, flags, mode)
      if (typeof flags !== "number" || !path.endsWith(".jsonl")) return file
      const { writeSync } = file
      return Object.assign(file, {
        writeSync: (buffer: Uint8Array, offset: number, length: number, position: number | null) => {
          happen((part) => writeSync(buffer, offset, part, position))
          return writeSync(buffer, offset, length, position)
        },
      })
    },
  }
}
