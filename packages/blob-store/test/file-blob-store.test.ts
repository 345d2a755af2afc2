import { createHash } from "node:crypto"
import { mkdir, readFile, rename, stat, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { FileBlobSource, FileBlobStore, nodeFs } from "@treelog/blob-store"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { bytes, makeOld, namesIn, tempDir } from "./folders.js"

const TIME = Date.UTC(2026, 2, 7, 14)
const clock = { now: () => TIME }
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex")

describe.skipIf(process.platform === "win32")("under an open umask", () => {
  let before: number
  beforeEach(() => {
    before = process.umask(0o022)
  })
  afterEach(() => {
    process.umask(before)
  })

  it("folders and files are for their owner alone", async () => {
    const dir = join(await tempDir(), "agent")
    const store = new FileBlobStore(join(dir, "blobs"))
    const hash = await store.put(bytes("secret"))
    await writeFile(join(store.folder, hash), "damage")
    await store.get(hash).catch(() => undefined)
    await store.put(bytes("secret"))
    const names = await namesIn(store.folder)
    expect(names).toHaveLength(2)
    const modes = [dir, store.folder, ...names.map((name) => join(store.folder, name))].map(modeOf)
    expect(await Promise.all(modes)).toEqual(["700", "700", "600", "600"])
  })
})

describe("a FileBlobStore", () => {
  it("keeps its own copy of a Buffer", async () => {
    const store = new FileBlobStore(await tempDir())
    const buffer = Buffer.from("original")
    const putting = store.put(buffer)
    buffer.fill(0)
    expect(await store.get(await putting)).toEqual(bytes("original"))
  })

  it("touches no disk when it is made, nor for a hash that is none", async () => {
    const { fs, calls } = new FaultFs(nodeFs)
    const store = new FileBlobStore(await tempDir(), { fs })
    for (const hash of ["../x", "", "a".repeat(63), `${"a".repeat(64)}\0`, "A".repeat(64), "blob:sha256:../x"]) {
      await expect(store.get(hash)).rejects.toMatchObject({ code: "InvalidArgumentError" })
      await expect(store.has(hash)).rejects.toMatchObject({ code: "InvalidArgumentError" })
      await expect(store.size(hash)).rejects.toMatchObject({ code: "InvalidArgumentError" })
      await expect(store.openRead(hash).next()).rejects.toMatchObject({ code: "InvalidArgumentError" })
    }
    expect(calls).toEqual([])
  })

  it("keeps raw bytes under their hash, and leaves nothing beside them", async () => {
    const store = new FileBlobStore(await tempDir(), { clock })
    const hash = await store.put(bytes("raw"))
    expect(await namesIn(store.folder)).toEqual([hashOf("raw")])
    expect(await readFile(join(store.folder, hash), "utf8")).toBe("raw")
    for await (const blob of store.list()) expect(blob).toEqual({ hash, size: 3, modified: TIME })
  })

  it("does not write a known blob again, but makes it as young as a new one", async () => {
    const { fs, calls } = new FaultFs(nodeFs)
    const store = new FileBlobStore(await tempDir(), { fs, clock })
    const hash = await store.put(bytes("known"))
    await store.put(bytes("known"))
    await makeOld(join(store.folder, hash))
    calls.length = 0
    await store.put(bytes("known"))
    expect(calls).toEqual(["stat", "utimes"])
    expect((await stat(join(store.folder, hash))).mtimeMs).toBe(TIME)
  })

  it("syncs a blob that another program wrote before it relies on it", async () => {
    const folder = await tempDir()
    await writeFile(join(folder, hashOf("theirs")), "theirs")
    const { fs, calls } = new FaultFs(nodeFs)
    await new FileBlobStore(folder, { fs }).put(bytes("theirs"))
    expect(calls.filter((call) => call === "file.sync")).toHaveLength(2)
    expect(calls).not.toContain("file.write")
  })

  it.each([
    ["is half of it", (path: string) => truncate(path, 2)],
    ["has its size and other bytes", (path: string) => writeFile(path, "other")],
    ["is empty", (path: string) => truncate(path, 0)],
  ])("replaces what has the name of a blob and %s", async (_, change) => {
    const folder = await tempDir()
    const hash = await new FileBlobStore(folder).put(bytes("whole"))
    for (const given of [bytes("whole"), stream("who", "le")]) {
      await change(join(folder, hash))
      await new FileBlobStore(folder).put(given)
      expect(await readFile(join(folder, hash), "utf8")).toBe("whole")
      expect(await namesIn(folder)).toEqual([hash])
    }
  })

  it.each([false, true])(
    "stores a stream whose bytes another process puts meanwhile (in the way: %s)",
    async (isBusy) => {
      const folder = await tempDir()
      const fs = {
        ...nodeFs,
        rename: async (from: string, to: string) => {
          await new FileBlobStore(folder).put(bytes("the same"))
          if (isBusy) throw Object.assign(new Error("somebody reads it"), { code: "EPERM" })
          await nodeFs.rename(from, to)
        },
      }
      const hash = await new FileBlobStore(folder, { fs }).put(stream("the ", "same"))
      expect(await readFile(join(folder, hash), "utf8")).toBe("the same")
      expect(await namesIn(folder)).toEqual([hash])
    },
  )

  it("writes a blob that a sweep took away in just this moment", async () => {
    let isSwept = false
    const folder = await tempDir()
    const hash = await new FileBlobStore(folder).put(bytes("needed"))
    const fs = {
      ...nodeFs,
      utimes: async (path: string, accessed: number, modified: number) => {
        if (!isSwept) await rename(path, join(folder, "taken"))
        isSwept = true
        await nodeFs.utimes(path, accessed, modified)
      },
    }
    expect(await new FileBlobStore(folder, { fs }).put(bytes("needed"))).toBe(hash)
    expect(isSwept).toBe(true)
    expect(await readFile(join(folder, hash), "utf8")).toBe("needed")
  })

  it("names only blobs, whatever else is in the folder", async () => {
    const store = new FileBlobStore(await tempDir())
    const hash = await store.put(bytes("image"))
    for (const name of [`${hash}.png`, `${hash}.damaged-x`, `.put-${"0".repeat(32)}.tmp`, "notes.txt", "A".repeat(64)])
      await writeFile(join(store.folder, name), "x")
    await mkdir(join(store.folder, ".trash", "x"), { recursive: true })
    await mkdir(join(store.folder, "f".repeat(64)))
    const hashes: string[] = []
    for await (const blob of store.list()) hashes.push(blob.hash)
    expect(hashes).toEqual([hash])
    expect([await store.has("f".repeat(64)), await store.get("f".repeat(64))]).toEqual([false, undefined])
  })
})

describe("damage", () => {
  it("is quarantined under a name with the time, and never over an earlier one", async () => {
    const store = new FileBlobStore(await tempDir(), { clock })
    const hash = await store.put(bytes("sound"))
    const aside = join(store.folder, `${hash}.damaged-2026-03-07T14-00-00-000Z`)
    for (const name of [aside, `${aside}.2`]) {
      await writeFile(join(store.folder, hash), "other")
      const error = { code: "BlobDamagedError", data: { hash, actual: hashOf("other"), quarantine: name } }
      await expect(store.get(hash)).rejects.toMatchObject(error)
      expect(await store.has(hash)).toBe(false)
      expect(await store.put(bytes("sound"))).toBe(hash)
    }
    expect(await readFile(`${aside}.2`, "utf8")).toBe("other")
  })

  it("that is found while streaming is quarantined as well", async () => {
    const store = new FileBlobStore(await tempDir(), { clock })
    const hash = await store.put(bytes("sound"))
    await writeFile(join(store.folder, hash), "sound, and more")
    const stream = store.openRead(hash)
    expect((await stream.next()).done).toBe(false)
    await expect(stream.next()).rejects.toMatchObject({ code: "BlobDamagedError" })
    expect(await namesIn(store.folder)).toEqual([`${hash}.damaged-2026-03-07T14-00-00-000Z`])
  })

  it("stays where it is for a source that only reads", async () => {
    const { folder } = new FileBlobStore(await tempDir())
    const hash = await new FileBlobStore(folder).put(bytes("sound"))
    await writeFile(join(folder, hash), "other")
    const source = new FileBlobSource(folder)
    const error = { code: "BlobDamagedError", data: { hash, quarantine: undefined } }
    await expect(source.get(hash)).rejects.toMatchObject(error)
    const read = async () => {
      for await (const _ of source.openRead(hash));
    }
    await expect(read()).rejects.toMatchObject(error)
    expect("put" in source).toBe(false)
    expect(await namesIn(folder)).toEqual([hash])
  })

  it("that cannot be quarantined is reported all the same, with the reason", async () => {
    const { fs } = new FaultFs(nodeFs, { fault: "EPERM", operation: "rename" })
    const store = new FileBlobStore(await tempDir(), { fs })
    const hash = await new FileBlobStore(store.folder).put(bytes("sound"))
    await writeFile(join(store.folder, hash), "other")
    const error = { code: "BlobDamagedError", data: { quarantine: undefined }, cause: { code: "EPERM" } }
    await expect(store.get(hash)).rejects.toMatchObject(error)
    expect(await namesIn(store.folder)).toEqual([hash])
  })

  it.each(["stat", "rename"] as const)(
    "does not take away the good blob that came just before the %s",
    async (call) => {
      const folder = await tempDir()
      const hash = await new FileBlobStore(folder).put(bytes("sound"))
      const heal = once(async () => {
        await writeFile(join(folder, "good"), "sound")
        await rename(join(folder, "good"), join(folder, hash))
      })
      const healing = async (path: string) => (path.endsWith(hash) ? heal() : undefined)
      const fs = {
        ...nodeFs,
        stat: async (path: string, options: { bigint: true }) => {
          if (call === "stat") await healing(path)
          return nodeFs.stat(path, options)
        },
        rename: async (from: string, to: string) => {
          if (call === "rename") await healing(from)
          await nodeFs.rename(from, to)
        },
      }
      await writeFile(join(folder, hash), "other")
      const store = new FileBlobStore(folder, { fs })
      await expect(store.get(hash)).rejects.toMatchObject({ data: { quarantine: undefined } })
      expect(await store.get(hash)).toEqual(bytes("sound"))
    },
  )
})

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

async function* stream(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text)
}

function once(action: () => Promise<void>): () => Promise<void> {
  let isDone = false
  return async () => {
    if (!isDone) await action()
    isDone = true
  }
}
