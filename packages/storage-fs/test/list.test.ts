import { mkdir, symlink, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { basename, dirname, join } from "node:path"
import { type FileSessionStorage, nodeFs } from "@treelog/storage-fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { bytes, newKey, stored, storeIn, tempDir } from "./store.js"

async function listed(storage: FileSessionStorage, cwd?: string): Promise<string[]> {
  const names: string[] = []
  for await (const { key, error } of storage.list({ cwd })) {
    names.push(error === undefined ? basename(key) : `${basename(key)}: ${error.message.split(": ").pop()}`)
  }
  return names.sort()
}

describe("a listing", () => {
  it("is empty where there is no folder, and of a folder that is gone", async () => {
    const storage = await storeIn()
    expect(await listed(storage)).toEqual([])
    expect(await listed(storage, "/nowhere")).toEqual([])
  })

  it("shows sessions only: no backup, lock, temporary file, artifact or folder", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "{}\n")
    const folder = dirname(key)
    await mkdir(join(key.replace(".jsonl", ""), "deeper"), { recursive: true })
    await writeFile(join(key.replace(".jsonl", ""), "sub-agent.jsonl"), "{}\n")
    await mkdir(join(folder, "folder.jsonl"))
    for (const ending of [".v1.bak", ".v1.bak.2", ".0123.tmp"]) await writeFile(key + ending, "")
    expect(await listed(storage)).toEqual([basename(key)])
    await lease.release()
  })

  it("reads no session", async () => {
    const agentDir = await tempDir()
    await (await stored(await storeIn(agentDir), "{}\n")).lease.release()
    const faulty = new FaultFs(nodeFs)
    await listed(await storeIn(agentDir, { fs: faulty.fs }))
    expect([...new Set(faulty.calls)].sort()).toEqual(["readdir"])
  })

  it("finds the sessions of a folder under the names of xcsh and omp", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir, { env: { HOME: homedir() } })
    for (const bucket of ["-src-x", "-tmp-src-x"]) {
      await mkdir(join(agentDir, "sessions", bucket), { recursive: true })
      await writeFile(join(agentDir, "sessions", bucket, `${bucket}.jsonl`), "{}\n")
    }
    expect(await listed(storage, join(homedir(), "src/x"))).toEqual(["-src-x.jsonl"])
    expect(await listed(storage)).toEqual(["-src-x.jsonl", "-tmp-src-x.jsonl"])
  })

  it("names a link that leads nowhere, and looking at it fails", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "{}\n")
    const dangling = join(dirname(key), "dangling.jsonl")
    await symlink(join(dirname(key), "gone"), dangling)
    expect(await listed(storage)).toEqual([basename(key), "dangling.jsonl"])
    await expect(storage.stat(dangling)).rejects.toMatchObject({
      code: "StorageError",
      data: { key: dangling, operation: "stat", errno: "ENOENT" },
    })
    await expect(storage.stat(dirname(key))).rejects.toMatchObject({ code: "InvalidSessionError" })
    await lease.release()
  })

  it("follows a bucket that is a link, and reports one that leads nowhere", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { lease } = await stored(storage, "{}\n")
    const elsewhere = await tempDir()
    await writeFile(join(elsewhere, "linked.jsonl"), "{}\n")
    await writeFile(join(agentDir, "sessions", "a file"), "")
    await symlink(elsewhere, join(agentDir, "sessions", "--linked--"))
    await symlink(join(agentDir, "gone"), join(agentDir, "sessions", "--gone--"))
    const names = await listed(storage)
    expect(names).toContain("linked.jsonl")
    expect(names).toContain("--gone--: ENOENT")
    expect(names).toHaveLength(3)
    await lease.release()
  })

  it("reports a folder that cannot be read, and shows the others", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const keys = [newKey(storage, "/one"), newKey(storage, "/two")]
    for (const key of keys) {
      const lease = await storage.lease(key, { access: "exclusive", waitMs: 0 })
      await lease.create([bytes("{}\n")])
      await lease.release()
    }
    for (const at of [2, 3]) {
      const { fs } = new FaultFs(nodeFs, { fault: "EIO", operation: "readdir", at })
      const names = await listed(await storeIn(agentDir, { fs }))
      expect(names.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1)
      expect(names.filter((name) => name.endsWith("--: EIO"))).toHaveLength(1)
    }
    const { fs } = new FaultFs(nodeFs, { fault: "EIO", operation: "readdir" })
    expect(await listed(await storeIn(agentDir, { fs }))).toEqual(["sessions: EIO"])
  })
})
