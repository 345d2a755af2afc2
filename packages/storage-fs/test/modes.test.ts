import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { artifactsFolder } from "@treelog/storage-fs"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { AT_ONCE, bytes, newKey, stored, storeIn, tempDir } from "./store.js"

async function modesIn(folder: string): Promise<Record<string, string>> {
  const modes: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, entry))
    modes[entry] = (found.mode & 0o777).toString(8) + (found.isDirectory() ? " folder" : "")
  }
  return modes
}

describe.skipIf(process.platform === "win32")("under an open umask", () => {
  let before: number
  beforeEach(() => {
    before = process.umask(0o022)
  })
  afterEach(() => {
    process.umask(before)
  })

  it("what is new is for its owner alone", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { key, lease } = await stored(storage, "{}\n")
    const artifacts = artifactsFolder(key) ?? ""
    await mkdir(join(artifacts, "deep"), { recursive: true, mode: 0o755 })
    await writeFile(join(artifacts, "deep", "notes.txt"), "notes", { mode: 0o644 })
    const fork = await storage.lease(newKey(storage, "/elsewhere"), AT_ONCE)
    const stat = await fork.create([bytes("{}\n")], { artifactsFrom: key })
    await fork.replace([bytes("{}\n\n")], { expected: stat, keepAs: ".v1.bak" })
    await storage.breadcrumbs.write("/elsewhere", fork.key)

    const modes = await modesIn(agentDir)
    const copied = Object.entries(modes).filter(([name]) => !join(agentDir, name).startsWith(artifacts))
    expect(copied.length).toBeGreaterThan(10)
    for (const [name, mode] of copied)
      expect([name, mode]).toEqual([name, mode.endsWith("folder") ? "700 folder" : "600"])
    await fork.release()
    await lease.release()
  })

  it("a file that is replaced keeps the mode that its owner gave it", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "old\n")
    await chmod(key, 0o640)
    const expected = await storage.stat(key)
    if (expected !== undefined) await lease.replace([bytes("new\n")], { expected })
    expect((await modesIn(dirname(key)))[key.slice(dirname(key).length + 1)]).toBe("640")
    await lease.release()
  })
})
