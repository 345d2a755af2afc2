import { appendFile, readFile, unlink } from "node:fs/promises"
import { basename, dirname } from "node:path"
import { type FileStat, type FsPort, nodeFs } from "@treelog/storage-fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { statOf } from "./scene.js"
import { bytes, namesIn, newKey, stored, storeIn } from "./store.js"

describe("a replacement", () => {
  it("is refused when the session changed while it was being written, and leaves nothing", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "old\n")
    const expected = await statOf(storage, key)
    async function* chunks() {
      yield bytes("new\n")
      await appendFile(key, "theirs\n")
    }
    const replacing = lease.replace(chunks(), { expected, keepAs: ".bak" })
    await expect(replacing).rejects.toMatchObject({ code: "SessionChangedError", data: { key, change: "grown" } })
    expect(await readFile(key, "utf8")).toBe("old\ntheirs\n")
    expect(await namesIn(dirname(key))).toEqual([basename(key), `${basename(key)}.lock`])
    await lease.release()
  })

  it("leaves no temporary file when its bytes cannot be had", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "old\n")
    async function* chunks() {
      yield bytes("new\n")
      throw new Error("no more")
    }
    const expected = await statOf(storage, key)
    await expect(lease.replace(chunks(), { expected })).rejects.toThrow("no more")
    expect(await namesIn(dirname(key))).toEqual([basename(key), `${basename(key)}.lock`])
    await lease.release()
  })

  it("is on the disk before it has the name, and its name is before it is reported", async () => {
    const faulty = new FaultFs(nodeFs, undefined, { armed: false })
    const storage = await storeIn(undefined, { fs: faulty.fs })
    const { key, lease } = await stored(storage, "old\n")
    const expected = await statOf(storage, key)
    faulty.arm()
    await lease.replace([bytes("new\n")], { expected, keepAs: ".bak" })
    const order = faulty.calls.filter((call) =>
      ["file.writeSync", "file.sync", "linkSync", "renameSync"].includes(call),
    )
    expect(order).toEqual(["file.writeSync", "file.sync", "linkSync", "renameSync", "file.sync"])
    await lease.release()
  })
})

describe("a new session", () => {
  it("is there when the answer to the call that named it was lost", async () => {
    for (const fault of ["EIO", "EPERM"] as const) {
      const faulty = new FaultFs(nodeFs, { fault, operation: "linkSync", at: 2, late: true })
      const { key, lease } = await stored(await storeIn(undefined, { fs: faulty.fs }), "new\n")
      expect(faulty.hit).toBe("linkSync")
      expect(await readFile(key, "utf8")).toBe("new\n")
      await lease.release()
    }
  })

  it("never has the identity of one that the lease reported, where nothing is known of its birth", async () => {
    const unborn = (stat: FileStat): FileStat => Object.assign(stat, { birthtimeNs: 0n })
    const fs: FsPort = {
      ...nodeFs,
      openSync: (path, flags, mode) => {
        const file = nodeFs.openSync(path, flags, mode)
        const { statSync } = file
        return Object.assign(file, { statSync: (options: { bigint: true }) => unborn(statSync(options)) })
      },
    }
    const storage = await storeIn(undefined, { fs })
    const key = newKey(storage)
    const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
    const identities: string[] = []
    for (let round = 0; round < 5; round++) {
      identities.push((await lease.create([bytes(`${round}\n`)])).identity)
      await unlink(key)
    }
    expect(new Set(identities).size).toBe(5)
    await lease.release()
  })
})
