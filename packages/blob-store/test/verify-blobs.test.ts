import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type BlobCheck, FileBlobStore, nodeFs, type VerifyBlobsOptions, verifyBlobs } from "@treelog/blob-store"
import { webDigest } from "@treelog/session-core/adapter"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { bytes, namesIn, tempDir } from "./folders.js"

describe("verifyBlobs", () => {
  it("distinguishes sound blobs from damaged ones, and leaves both where they are", async () => {
    const store = new FileBlobStore(await tempDir())
    const [sound, damaged] = [await store.put(bytes("sound")), await store.put(bytes("to be damaged"))]
    await writeFile(join(store.folder, damaged), "damaged")
    const actual = await webDigest.sha256(bytes("damaged"))
    const checks = await checksOf(store.folder)
    expect(checks).toHaveLength(2)
    expect(checks).toContainEqual({ state: "ok", hash: sound, size: 5 })
    expect(checks).toContainEqual({ state: "damaged", hash: damaged, size: 7, actual })
    expect(await namesIn(store.folder)).toEqual([sound, damaged].sort())
  })

  it("goes on after a blob that cannot be read", async () => {
    const store = new FileBlobStore(await tempDir())
    for (const text of ["one", "two"]) await store.put(bytes(text))
    const { fs } = new FaultFs(nodeFs, { fault: "EIO", operation: "file.read" })
    const checks = await checksOf(store.folder, { fs })
    expect(checks.map(({ state }) => state).sort()).toEqual(["ok", "unreadable"])
    expect(checks.find(({ state }) => state === "unreadable")).toMatchObject({
      error: { code: "StorageError", data: { errno: "EIO" } },
    })
  })

  it("reports whatever is no blob, and what its name says", async () => {
    const folder = await tempDir()
    const [one, two] = ["0".repeat(64), "f".repeat(64)]
    const names = {
      "notes.txt": "unknown",
      [one.toUpperCase().replace("0", "A")]: "unknown",
      [`${one}.png`]: "sidecar",
      [`${one}.damaged-2026-03-07T14-00-00-000Z`]: "quarantined",
      [`.put-${"0".repeat(32)}.tmp`]: "temporary",
    }
    for (const name of Object.keys(names)) await writeFile(join(folder, name), "x")
    await mkdir(join(folder, ".trash"))
    await mkdir(join(folder, two))
    const found = new Map<string, string>()
    for (const check of await checksOf(folder)) if (check.state === "foreign") found.set(check.name, check.what)
    expect(Object.fromEntries(found)).toEqual({ ...names, ".trash": "trash", [two]: "folder" })
  })

  it("finds nothing in a folder that is not there, and reports when the folder cannot be read", async () => {
    const folder = await tempDir()
    expect(await checksOf(join(folder, "missing"))).toEqual([])
    const { fs } = new FaultFs(nodeFs, { fault: "EPERM", operation: "readdir" })
    await expect(checksOf(folder, { fs })).rejects.toMatchObject({ code: "StorageError", data: { key: folder } })
  })

  it("stops when it is aborted", async () => {
    const store = new FileBlobStore(await tempDir())
    for (const text of ["one", "two"]) await store.put(bytes(text))
    const controller = new AbortController()
    const checks = verifyBlobs(store.folder, { signal: controller.signal })
    expect((await checks.next()).value).toMatchObject({ state: "ok" })
    controller.abort(new Error("enough"))
    await expect(checks.next()).rejects.toThrow("enough")
  })
})

async function checksOf(folder: string, options?: VerifyBlobsOptions): Promise<BlobCheck[]> {
  const checks: BlobCheck[] = []
  for await (const check of verifyBlobs(folder, options)) checks.push(check)
  return checks
}
