import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { blobsNamedIn, copyBlobs, FileBlobStore, nodeFs } from "@treelog/blob-store"
import { isTreelogError, MemoryBlobStore } from "@treelog/session-core"
import { blobRef, webDigest } from "@treelog/session-core/adapter"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, test } from "vitest"
import { bytes, makeOld, namesIn, tempDir } from "./folders.js"

async function given() {
  const folder = await tempDir()
  const from = new FileBlobStore(join(folder, "from"))
  const to = new FileBlobStore(join(folder, "to"))
  return { folder, from, to }
}

describe("blobs that are copied to another store", () => {
  test("are whole there; what is missing is reported.", async () => {
    const { from, to } = await given()
    const [one, two] = [await from.put(bytes("one")), await from.put(bytes("twice"))]
    const absent = await webDigest.sha256(bytes("absent"))
    expect(await copyBlobs([one, absent, two], from, to)).toEqual({
      copied: { count: 2, bytes: 8 },
      missing: [absent],
      damaged: [],
    })
    expect(await to.get(one)).toEqual(bytes("one"))
    expect(await namesIn(from.folder)).toEqual([one, two].sort())
  })

  test("that are damaged leave nothing in the other store.", async () => {
    const { from, to } = await given()
    const hash = await from.put(bytes("sound"))
    await writeFile(join(from.folder, hash), "other")
    expect(await copyBlobs([hash], from, to)).toMatchObject({ copied: { count: 0 }, damaged: [hash] })
    expect(await namesIn(to.folder)).toEqual([])
  })

  test("count as put now, also where they were before, so that no sweep takes them.", async () => {
    const { from, to } = await given()
    const hash = await from.put(bytes("known"))
    await to.put(bytes("known"))
    await makeOld(join(to.folder, hash))
    expect(await copyBlobs([hash], from, to)).toMatchObject({ copied: { count: 1, bytes: 5 } })
    expect((await stat(join(to.folder, hash))).mtimeMs).toBeGreaterThan(Date.now() - 60_000)
  })

  test("can come from and go to any store.", async () => {
    const { from } = await given()
    const memory = new MemoryBlobStore()
    const hash = await memory.put(bytes("there and back"))
    await copyBlobs([hash], memory, from)
    expect(await readFile(join(from.folder, hash), "utf8")).toBe("there and back")
  })

  test("fail as a whole when the other disk does.", async () => {
    const { from, folder } = await given()
    const hash = await from.put(bytes("x"))
    const { fs } = new FaultFs(nodeFs, { fault: "ENOSPC", operation: "file.write", times: 9 })
    const full = new FileBlobStore(join(folder, "full"), { fs })
    await expect(copyBlobs([hash], from, full)).rejects.toSatisfy((error) => isTreelogError(error, "StorageError"))
  })
})

describe("what files name", () => {
  test("is found in torn lines, in folders, and behind links, and is nothing where there is no file.", async () => {
    const folder = await tempDir()
    const [a, b, c, d] = await Promise.all(["a", "b", "c", "d"].map((text) => webDigest.sha256(bytes(text))))
    const write = async (name: string, text: string): Promise<string> => {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
      return path
    }
    const torn = await write("s.jsonl", `{"data":"${blobRef(a ?? "")}"}\n{"data":"${blobRef(b ?? "")}","con`)
    await write("s/deep/sub-agent.jsonl", `"${blobRef(c ?? "")}"`)
    await symlink(await write("elsewhere.txt", blobRef(d ?? "")), join(folder, "s", "link"))
    expect(await blobsNamedIn([torn, join(folder, "s"), join(folder, "none")])).toEqual(new Set([a, b, c, d]))
    expect(await blobsNamedIn([join(folder, "none")])).toEqual(new Set())
  })

  test("is not known where something cannot be read.", async () => {
    const folder = await tempDir()
    await symlink(join(folder, "gone"), join(folder, "dangling"))
    await expect(blobsNamedIn([folder])).rejects.toMatchObject({ code: "StorageError" })
  })
})
