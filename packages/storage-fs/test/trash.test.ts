import { createHash } from "node:crypto"
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { artifactsFolder, type FileSessionStorage, TrashedSessionStorage } from "@treelog/storage-fs"
import { nodeFs } from "@treelog-internal/fs"
import { describe, expect, it, vi } from "vitest"
import { fillArtifacts } from "./scene.js"
import { AT_ONCE, killOwners, newKey, stored, storeIn, tempDir } from "./store.js"

const NOW = Date.parse("2026-03-07T15:30:00.250Z")
const SESSION = `${JSON.stringify({ type: "session", version: 3, id: "s", timestamp: "2026-03-07T14:00:00.000Z", cwd: "/home/user/project" })}\n`

/** A session that nobody holds, with artifacts, a backup, and a list of changes. */
async function givenSession(storage: FileSessionStorage): Promise<string> {
  const { key, lease } = await stored(storage, SESSION)
  await lease.release()
  await fillArtifacts(key)
  for (const suffix of [".v1.bak", ".repair.bak.2", ".repair.bak.changes.json"]) await writeFile(key + suffix, suffix)
  return key
}

/** Names, kinds, inodes, times of change and hashes of everything in a folder, but for the trash. */
function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.includes(".trash"))
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const stat = lstatSync(path)
      if (!stat.isFile()) return name
      return `${name} ${stat.ino} ${stat.mtimeMs} ${stat.mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`
    })
}

async function inTrash(storage: FileSessionStorage, cwd?: string): Promise<string[]> {
  const paths: string[] = []
  for await (const { path, error } of storage.trash.list({ cwd })) {
    if (error) throw error
    paths.push(path)
  }
  return paths.sort()
}

async function listed(storage: FileSessionStorage): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list()) keys.push(key)
  return keys
}

describe("a session that goes to the trash", () => {
  it("takes along its artifacts and what was kept of it, and is not listed any more.", async () => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const other = await stored(storage, SESSION)
    const path = await storage.trash.put(key, { now: NOW })
    expect(path).toMatch(/\/\.trash\/2026-03-07T15-30-00-250Z_[0-9a-f]{16}\/[^/]+\.jsonl$/)
    expect(basename(path)).toBe(basename(key))
    expect(readdirSync(dirname(key)).sort()).toEqual(
      [".trash", basename(other.key), `${basename(other.key)}.lock`].sort(),
    )
    expect(readdirSync(dirname(path))).toHaveLength(5)
    expect(await listed(storage)).toEqual([other.key])
    await other.lease.release()
  })

  it("comes back as it was: names, bytes, inodes, modes and times, with nothing left in the trash.", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const keys = [await givenSession(storage), await givenSession(storage)]
    const before = fingerprint(agentDir)
    const paths: string[] = []
    for (const key of keys) paths.push(await storage.trash.put(key, { now: NOW }))
    expect(fingerprint(agentDir)).not.toEqual(before)
    expect(await inTrash(storage)).toEqual(paths.sort())
    for (const path of paths) expect(keys).toContain(await storage.trash.restore(path))
    expect(fingerprint(agentDir)).toEqual(before)
    expect(existsSync(join(dirname(keys[0] ?? ""), ".trash"))).toBe(false)
  })

  it("takes the same along in a batch, which reads the folder as often for many sessions as for one.", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const keys = [await givenSession(storage), await givenSession(storage), await givenSession(storage)]
    const before = fingerprint(agentDir)
    const readdir = vi.fn(nodeFs.readdir)
    const batch = (await storeIn(agentDir, { fs: { ...nodeFs, readdir } })).trash.batch()
    for (const key of keys) expect(readdirSync(dirname(await batch.put(key, { now: NOW })))).toHaveLength(5)
    // Once for what belongs to the sessions, and once, here and in the trash, for orphaned temporary files.
    expect(readdir).toHaveBeenCalledTimes(3)
    for (const path of await inTrash(storage)) await storage.trash.restore(path)
    expect(fingerprint(agentDir)).toEqual(before)
  })

  it("leaves in a batch a backup that was made since, which goes with the session for good.", async () => {
    const storage = await storeIn()
    const [one, two] = [await givenSession(storage), await givenSession(storage)]
    const batch = storage.trash.batch()
    await batch.put(one, { now: NOW })
    await writeFile(`${two}.late.bak`, "late")
    const path = await batch.put(two, { now: NOW })
    expect(existsSync(`${two}.late.bak`)).toBe(true)
    await storage.trash.remove(path)
    expect(existsSync(`${two}.late.bak`)).toBe(false)
  })

  it("is named with its place, its origin and its time.", async () => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const path = await storage.trash.put(key, { now: NOW })
    for await (const found of storage.trash.list()) expect(found).toEqual({ path, from: key, deleted: NOW })
    expect(await inTrash(storage, "/home/user/project")).toEqual([path])
    expect(await inTrash(storage, "/elsewhere")).toEqual([])
  })

  it("can be listed, found and read like any other.", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const path = await storage.trash.put(await givenSession(storage), { now: NOW })
    const manager = new SessionManager({ storage: new TrashedSessionStorage({ agentDir, terminalId: "test" }) })
    const infos = []
    for await (const info of manager.listAll()) infos.push(info)
    expect(infos).toMatchObject([{ path, id: "s", cwd: "/home/user/project" }])
    const [, id = ""] = /_(session-\d+)\.jsonl$/.exec(path) ?? []
    // The id in its name, which no header has.
    expect(await manager.resolve(id)).toBe(path)
    expect(await manager.resolve(path)).toBe(path)
  })

  it("is not taken from who writes it, and not twice.", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, SESSION)
    await expect(storage.trash.put(key, { now: NOW })).rejects.toMatchObject({ code: "SessionBusyError" })
    expect(await listed(storage)).toEqual([key])
    await lease.release()
    const path = await storage.trash.put(key, { now: NOW })
    await expect(storage.trash.put(key, { now: NOW })).rejects.toMatchObject({ code: "SessionNotFoundError" })
    await expect(storage.trash.put(path, { now: NOW })).rejects.toMatchObject({ code: "InvalidArgumentError" })
  })

  it("stays when it has another size than was believed.", async () => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const before = fingerprint(dirname(key))
    await expect(storage.trash.put(key, { now: NOW, size: 1 })).rejects.toMatchObject({ data: { change: "grown" } })
    await expect(storage.trash.put(key, { now: NOW, size: 10 ** 6 })).rejects.toMatchObject({
      data: { change: "shrunk" },
    })
    expect(fingerprint(dirname(key))).toEqual(before)
  })

  it("is moved as a link where it is one, and what the link leads to stays.", async () => {
    const storage = await storeIn()
    const target = join(await tempDir(), "elsewhere.jsonl")
    await writeFile(target, SESSION)
    const key = newKey(storage)
    await mkdir(dirname(key), { recursive: true })
    await symlink(target, key)
    const path = await storage.trash.put(key, { now: NOW })
    expect(await readlink(path)).toBe(target)
    expect(existsSync(target)).toBe(true)
    await storage.trash.restore(path)
    expect(await readlink(key)).toBe(target)
    await storage.trash.remove(await storage.trash.put(key, { now: NOW }))
    expect(readFileSync(target, "utf8")).toBe(SESSION)
  })

  it("lies beside the others where all sessions are in one folder.", async () => {
    const sessionDir = await tempDir()
    const storage = await storeIn(undefined, { sessionDir })
    const path = await storage.trash.put(await givenSession(storage), { now: NOW })
    expect(path.startsWith(join(sessionDir, ".trash", "2026"))).toBe(true)
    expect(await inTrash(storage)).toEqual([path])
    expect(await listed(storage)).toEqual([])
  })
})

describe("restoring", () => {
  it("never overwrites what is there by now.", async () => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const path = await storage.trash.put(key, { now: NOW })
    await writeFile(key, SESSION)
    await expect(storage.trash.restore(path)).rejects.toMatchObject({ code: "SessionExistsError", data: { key } })
    await rm(key)
    await writeFile(`${key}.v1.bak`, "another")
    await expect(storage.trash.restore(path)).rejects.toMatchObject({ data: { key: `${key}.v1.bak` } })
    expect(readFileSync(path, "utf8")).toBe(SESSION)
    expect(readFileSync(`${key}.v1.bak`, "utf8")).toBe("another")
  })

  it("is refused while someone holds the old place, and for what is not in the trash.", async () => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const path = await storage.trash.put(key, { now: NOW })
    const lease = await storage.lease(key, AT_ONCE)
    await expect(storage.trash.restore(path)).rejects.toMatchObject({ code: "SessionBusyError" })
    await lease.release()
    await expect(storage.trash.restore(key)).rejects.toMatchObject({ code: "InvalidArgumentError" })
    await expect(storage.trash.restore(join(dirname(path), "no.jsonl"))).rejects.toMatchObject({
      code: "SessionNotFoundError",
    })
  })
})

describe("emptying", () => {
  it("removes the session with all that went with it, and no other.", async () => {
    const storage = await storeIn()
    const [one, two] = [await givenSession(storage), await givenSession(storage)]
    const gone = await storage.trash.put(one, { now: NOW })
    const kept = await storage.trash.put(two, { now: NOW })
    await storage.trash.remove(gone)
    expect(await inTrash(storage)).toEqual([kept])
    expect(existsSync(dirname(gone))).toBe(false)
    await storage.trash.remove(kept)
    expect(readdirSync(dirname(one))).toEqual([])
  })

  it("finds what a crash left in its place, unless it is of a session that is there.", async () => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const path = await storage.trash.put(key, { now: NOW })
    await fillArtifacts(key)
    await writeFile(key, SESSION)
    await storage.trash.remove(path)
    expect(existsSync(artifactsFolder(key) ?? "")).toBe(true)
    await storage.trash.remove(await storage.trash.put(key, { now: NOW }))
    const again = await storage.trash.put(await givenSession(storage), { now: NOW })
    await fillArtifacts(join(dirname(key), basename(again)))
    await storage.trash.remove(again)
    expect(readdirSync(dirname(key))).toEqual([])
  })
})

describe("who holds a session", () => {
  it("is found without a write, and nobody does when its owner died.", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, SESSION)
    const names = readdirSync(dirname(key))
    expect(await storage.holderOf(key)).toMatchObject({ pid: process.pid, since: expect.stringMatching(/Z$/) })
    await killOwners(dirname(key))
    expect(await storage.holderOf(key)).toBeUndefined()
    expect(readdirSync(dirname(key))).toEqual(names)
    await lease.release()
    expect(await storage.holderOf(newKey(storage))).toBeUndefined()
  })
})

describe.skipIf(process.platform === "win32")("a trash that is no folder", () => {
  const refused = (path: string) => ({ code: "StorageError", data: { key: path, errno: "ENOTDIR" } })

  it.each(["a link", "a link that leads nowhere", "a file"])("is refused before anything moves: %s.", async (what) => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const [trash, outside] = [join(dirname(key), ".trash"), await tempDir()]
    if (what === "a file") writeFileSync(trash, "")
    else symlinkSync(what === "a link" ? outside : join(outside, "gone"), trash)
    const before = readdirSync(dirname(key), { recursive: true })
    await expect(storage.trash.put(key, { now: NOW })).rejects.toMatchObject(refused(trash))
    expect(readdirSync(dirname(key), { recursive: true })).toEqual(before)
    expect(readdirSync(outside)).toEqual([])
    const found: unknown[] = []
    for await (const { path, error } of storage.trash.list()) found.push({ path, error })
    expect(found).toMatchObject([{ path: trash, error: refused(trash) }])
  })

  it.each([".trash", "the folder in it"])("gives nothing back and removes nothing: %s is a link.", async (what) => {
    const storage = await storeIn()
    const key = await givenSession(storage)
    const path = await storage.trash.put(key, { now: NOW })
    const [outside, place] = [join(await tempDir(), "outside"), dirname(path)]
    const linked = what === ".trash" ? dirname(place) : place
    renameSync(linked, outside)
    symlinkSync(outside, linked)
    const before = readdirSync(outside, { recursive: true })
    await expect(storage.trash.restore(path)).rejects.toMatchObject(refused(linked))
    await expect(storage.trash.remove(path)).rejects.toMatchObject(refused(linked))
    expect(readdirSync(outside, { recursive: true })).toEqual(before)
    expect(await listed(storage)).toEqual([])
  })
})
