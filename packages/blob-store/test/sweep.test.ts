import { mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { nodeFs, sweep, undoSweep } from "@treelog/blob-store"
import { blobRef } from "@treelog/session-core/adapter"
import { describe, expect, it } from "vitest"
import { type Agent, agent, fileNaming, lineNaming, makeOld, namesIn, oldBlob } from "./folders.js"

const MISSING = "0".repeat(64)
const apply = ({ blobs, roots }: Agent) => sweep({ blobs, roots, apply: true })

describe("a sweep", () => {
  it("takes away what no file names, and keeps what one does", async () => {
    const home = await agent()
    const [named, lost] = [await oldBlob(home, "named"), await oldBlob(home, "lost!")]
    const young = await home.store.put(new Uint8Array(3))
    await fileNaming(home, "--a--/one.jsonl", lineNaming(named, MISSING))
    const report = await apply(home)
    expect(report).toMatchObject({
      applied: true,
      scanned: { count: 1 },
      kept: { count: 1, bytes: 5 },
      withinGrace: { count: 1, bytes: 3 },
      swept: { count: 1, bytes: 5, hashes: [lost] },
      temporary: { count: 0 },
      unparsable: [],
    })
    expect(await namesIn(home.blobs)).toEqual([".trash", named, young].sort())
    expect(await readFile(join(report.trash ?? "", lost), "utf8")).toBe("lost!")
  })

  it("changes nothing, and reports what it would do, unless asked to apply", async () => {
    const home = await agent()
    const lost = await oldBlob(home, "lost")
    await fileNaming(home, "one.jsonl", lineNaming())
    const report = await sweep({ blobs: home.blobs, roots: home.roots })
    expect(report).toMatchObject({ applied: false, swept: { count: 1, bytes: 4, hashes: [lost] }, trash: undefined })
    expect(await namesIn(home.blobs)).toEqual([lost])
  })

  it("keeps by the clock and the grace period that it is given", async () => {
    const home = await agent()
    const blob = await home.store.put(new Uint8Array(1))
    await fileNaming(home, "one.jsonl", lineNaming())
    const { mtimeMs } = await stat(join(home.blobs, blob))
    const at = async (ms: number, graceMs?: number) => {
      const clock = { now: () => Math.round(mtimeMs) + ms }
      const report = await sweep({ ...home, clock, ...(graceMs === undefined ? {} : { graceMs }) })
      return report.swept.count
    }
    const day = 24 * 60 * 60 * 1000
    expect([await at(day), await at(day + 1), await at(1000, 1000), await at(1001, 1000)]).toEqual([0, 1, 0, 1])
    expect(await at(-day, 0)).toBe(0)
  })

  it("finds nothing to do where no blob was ever put", async () => {
    const home = await agent()
    expect(await apply(home)).toMatchObject({
      applied: true,
      scanned: { count: 0 },
      swept: { count: 0 },
      trash: undefined,
    })
    expect(await namesIn(home.dir)).toEqual(["sessions"])
  })

  it("takes a sidecar only with its blob", async () => {
    const home = await agent()
    const [named, lost] = [await oldBlob(home, "named"), await oldBlob(home, "lost")]
    const sidecars = [`${named}.png`, `${lost}.png`, `${lost}.jpeg`, `${MISSING}.png`]
    for (const name of sidecars) await writeFile(join(home.blobs, name), "image")
    await fileNaming(home, "one.jsonl", lineNaming(named))
    const report = await apply(home)
    expect(report.swept).toEqual({ count: 1, bytes: 14, hashes: [lost] })
    expect(await namesIn(home.blobs)).toEqual([".trash", named, `${named}.png`, `${MISSING}.png`].sort())
    await undoSweep(home.blobs)
    expect(await namesIn(home.blobs)).toEqual([".trash", named, lost, ...sidecars].sort())
  })

  it("takes the unfinished files of writers that died, and leaves strangers and damaged blobs alone", async () => {
    const home = await agent()
    await fileNaming(home, "one.jsonl", lineNaming())
    const [dead, alive] = [`.put-${"a".repeat(32)}.tmp`, `.put-${"b".repeat(32)}.tmp`]
    await home.store.put(new Uint8Array(1))
    const others = [`${MISSING}.damaged-2026`, "notes.txt"]
    for (const name of [dead, alive, ...others]) await writeFile(join(home.blobs, name), "half")
    for (const name of [dead, ...others]) await makeOld(join(home.blobs, name))
    expect((await apply(home)).temporary).toEqual({ count: 1, bytes: 4 })
    expect(await namesIn(home.blobs)).toEqual(expect.arrayContaining([alive, ...others]))
    expect(await namesIn(home.blobs)).not.toContain(dead)
  })

  it("reports its progress", async () => {
    const home = await agent()
    await oldBlob(home, "lost")
    await fileNaming(home, "one.jsonl", lineNaming())
    const phases: string[] = []
    await sweep({ ...home, apply: true, onProgress: ({ phase, done }) => phases.push(`${phase} ${done.count}`) })
    expect(phases[0]).toBe("mark 1")
    expect(phases.at(-1)).toBe("sweep 1")
  })
})

describe("a blob is protected by", () => {
  const places: Record<string, string> = {
    "a session": "--a--/one.jsonl",
    "a sub-agent's transcript": "--a--/one/agents/sub.jsonl",
    "another artifact": "--a--/one/output.log",
    "a backup": "--a--/one.jsonl.v1.bak",
    "the backup of a repair": "--a--/one.jsonl.repair.bak",
    "a file that was set aside": "--a--/one.jsonl.corrupt-2026-03-07T14-00-00-000Z",
    "a session in the trash": ".trash/one.jsonl",
  }
  it.each(Object.entries(places))("%s", async (_, name) => {
    const home = await agent()
    const hash = await oldBlob(home, "needed")
    await fileNaming(home, name, lineNaming(hash))
    expect(await apply(home)).toMatchObject({ kept: { count: 1 }, swept: { count: 0 } })
    expect(await home.store.has(hash)).toBe(true)
  })

  it("a torn last line, and a line that is not JSON where that is allowed", async () => {
    const home = await agent()
    const [torn, broken] = [await oldBlob(home, "torn"), await oldBlob(home, "broken")]
    await fileNaming(home, "one.jsonl", `${lineNaming()}{"data":"${blobRef(torn)}","te`)
    await apply(home)
    const path = await fileNaming(home, "two.jsonl", `${lineNaming()}{"data":"${blobRef(broken)}\n${lineNaming()}`)
    const report = await sweep({ ...home, apply: true, allowUnparsable: true, graceMs: 0 })
    expect(report.unparsable).toMatchObject([{ path, line: 2 }])
    expect([await home.store.has(torn), await home.store.has(broken)]).toEqual([true, true])
  })

  it("a reference on the seam of two chunks of a large file", async () => {
    const home = await agent()
    const hash = await oldBlob(home, "seam")
    const seam = 256 * 1024
    for (const before of [1, 11, 12, 40, 75]) {
      await fileNaming(home, "large.bak", `${"x".repeat(seam - before)}${blobRef(hash)}${"y".repeat(seam)}`)
      expect((await sweep({ ...home })).kept.count).toBe(1)
    }
  })

  it("a session outside of the roots that is registered, its artifacts and its backups", async () => {
    const home = await agent()
    const elsewhere = join(home.dir, "project")
    const session = join(elsewhere, "mine.jsonl")
    const hashes = await Promise.all(["file", "sub", "bak", "other"].map((text) => oldBlob(home, text)))
    const [file = "", sub = "", bak = "", other = ""] = hashes
    await mkdir(join(elsewhere, "mine"), { recursive: true })
    await writeFile(session, lineNaming(file))
    await writeFile(join(elsewhere, "mine", "sub.jsonl"), lineNaming(sub))
    await writeFile(`${session}.v1.bak`, lineNaming(bak))
    await writeFile(join(elsewhere, "other.jsonl"), lineNaming(other))
    const report = await sweep({ ...home, files: [session], apply: true })
    expect(report.swept.hashes).toEqual([other])
    expect(report.scanned.count).toBe(3)
  })

  it.skipIf(process.platform === "win32")("a session that a link leads to, be it a file or a folder", async () => {
    const home = await agent()
    const [one, two] = [await oldBlob(home, "one"), await oldBlob(home, "two")]
    const away = join(home.dir, "away")
    await mkdir(away)
    await writeFile(join(home.dir, "one.jsonl"), lineNaming(one))
    await writeFile(join(away, "two.jsonl"), lineNaming(two))
    await symlink(join(home.dir, "one.jsonl"), join(home.roots[0] ?? "", "one.jsonl"))
    await symlink(away, join(home.roots[0] ?? "", "--linked--"))
    await symlink(home.roots[0] ?? "", join(away, "around"))
    expect(await apply(home)).toMatchObject({ kept: { count: 2 }, scanned: { count: 2 } })
  })

  it("a file beside the blobs, where the root holds them too", async () => {
    const home = await agent()
    const [named, lost] = [await oldBlob(home, "named"), await oldBlob(home, "lost")]
    await writeFile(join(home.blobs, "notes.txt"), blobRef(named))
    await writeFile(join(home.blobs, `${lost}.png`), blobRef(lost))
    expect((await sweep({ blobs: home.blobs, roots: [home.dir] })).swept.hashes).toEqual([lost])
  })
})

describe("what happens between the first look and the taking away", () => {
  it.each([
    [
      "a new session names the blob",
      async (home: Agent, hash: string) => void (await fileNaming(home, "b.jsonl", lineNaming(hash))),
    ],
    [
      "a session grows by a line that names it",
      async (home: Agent, hash: string) => void (await fileNaming(home, "a.jsonl", lineNaming() + lineNaming(hash))),
    ],
    ["the blob is put again", async (home: Agent) => void (await home.store.put(new TextEncoder().encode("late")))],
  ])("keeps the blob: %s", async (_, happen) => {
    for (const call of ["mkdir", "rename"] as const) {
      const home = await agent()
      const hash = await oldBlob(home, "late")
      await fileNaming(home, "a.jsonl", lineNaming())
      const fs = { ...nodeFs }
      // The last call before the blob is taken away, and the taking itself.
      if (call === "mkdir")
        fs.mkdir = async (path, options) => {
          await happen(home, hash)
          return nodeFs.mkdir(path, options)
        }
      else
        fs.rename = async (from, to) => {
          await happen(home, hash)
          await nodeFs.rename(from, to)
        }
      const report = await sweep({ ...home, apply: true, fs })
      expect(report.swept.count).toBe(0)
      expect(report.trash).toBeUndefined()
      expect(await home.store.get(hash)).toEqual(new TextEncoder().encode("late"))
    }
  })

  it("keeps the blobs of a session that moves to a folder which was read already", async () => {
    const home = await agent()
    const hash = await oldBlob(home, "moved")
    const from = await fileNaming(home, "--b--/s.jsonl", lineNaming(hash))
    await fileNaming(home, "--a--/t.jsonl", lineNaming())
    const to = join(home.roots[0] ?? "", "--a--", "s.jsonl")
    let isMoved = false
    const fs = {
      ...nodeFs,
      readdir: async (path: string) => {
        if (!isMoved && path.endsWith("--b--")) {
          isMoved = (await nodeFs.readdir(join(path, "..", "--a--"))).length > 0
          await rename(from, to)
        }
        return nodeFs.readdir(path)
      },
    }
    expect((await sweep({ ...home, apply: true, fs })).swept.count).toBe(0)
    expect([isMoved, await home.store.has(hash)]).toEqual([true, true])
  })
})

describe("the trash", () => {
  it("gives everything back until the next sweep", async () => {
    const home = await agent()
    const hashes = [await oldBlob(home, "one"), await oldBlob(home, "three")]
    await fileNaming(home, "a.jsonl", lineNaming())
    await apply(home)
    await sweep({ blobs: home.blobs, roots: home.roots })
    expect(await undoSweep(home.blobs)).toEqual({ count: 2, bytes: 8 })
    for (const hash of hashes) expect(await home.store.get(hash)).toBeDefined()
    expect(await namesIn(join(home.blobs, ".trash"))).toEqual([])
    expect(await undoSweep(home.blobs)).toEqual({ count: 0, bytes: 0 })
  })

  it("is emptied by the next sweep, but what is named by then goes back", async () => {
    const home = await agent()
    const [lost, found] = [await oldBlob(home, "lost"), await oldBlob(home, "found")]
    await writeFile(join(home.blobs, `${found}.png`), "image")
    await fileNaming(home, "a.jsonl", lineNaming())
    await apply(home)
    await fileNaming(home, "b.jsonl", lineNaming(found))
    const report = await apply(home)
    expect(report).toMatchObject({
      emptied: { count: 1, bytes: 4 },
      restored: { count: 1, bytes: 5 },
      trash: undefined,
    })
    expect(await namesIn(home.blobs)).toEqual([".trash", found, `${found}.png`].sort())
    expect([await home.store.has(lost), await undoSweep(home.blobs)]).toEqual([false, { count: 0, bytes: 0 }])
  })

  it("does not take the place of a blob that was put again", async () => {
    const home = await agent()
    const hash = await oldBlob(home, "again")
    await fileNaming(home, "a.jsonl", lineNaming())
    await apply(home)
    await home.store.put(new TextEncoder().encode("again"))
    const { ino } = await stat(join(home.blobs, hash))
    await undoSweep(home.blobs)
    expect((await stat(join(home.blobs, hash))).ino).toBe(ino)
  })

  it.skipIf(process.platform === "win32")("is for its owner alone", async () => {
    const home = await agent()
    await oldBlob(home, "lost")
    await fileNaming(home, "a.jsonl", lineNaming())
    const before = process.umask(0o022)
    const { trash = "" } = await apply(home).finally(() => process.umask(before))
    const modes = await Promise.all([trash, join(trash, "..")].map((path) => stat(path)))
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(["700", "700"])
  })
})

describe.skipIf(process.platform === "win32")("a trash that is no folder", () => {
  it("is refused before anything moves", async () => {
    for (const isLink of [true, false]) {
      const home = await agent()
      const hash = await oldBlob(home, "lost")
      await fileNaming(home, "a.jsonl", lineNaming())
      const [trash, outside] = [join(home.blobs, ".trash"), join(home.dir, "outside")]
      await mkdir(join(outside, "2026-03-07T14-00-00-000Z"), { recursive: true })
      await writeFile(join(outside, "2026-03-07T14-00-00-000Z", MISSING), "somebody's")
      await (isLink ? symlink(outside, trash) : writeFile(trash, ""))
      const refused = { code: "StorageError", data: { key: trash, errno: "ENOTDIR" } }
      await expect(apply(home)).rejects.toMatchObject(refused)
      await expect(undoSweep(home.blobs)).rejects.toMatchObject(refused)
      expect(await namesIn(home.blobs)).toEqual([".trash", hash])
      expect(await namesIn(join(outside, "2026-03-07T14-00-00-000Z"))).toEqual([MISSING])
    }
  })

  it("is left alone where it is a link in the trash, which may lead to the blobs themselves", async () => {
    const home = await agent()
    const [named, lost] = [await oldBlob(home, "named"), await oldBlob(home, "lost")]
    await fileNaming(home, "a.jsonl", lineNaming(named))
    await mkdir(join(home.blobs, ".trash"))
    await symlink(home.blobs, join(home.blobs, ".trash", "2026-03-07T14-00-00-000Z"))
    expect(await apply(home)).toMatchObject({ swept: { count: 1 }, emptied: { count: 0 }, restored: { count: 0 } })
    expect(await namesIn(home.blobs)).toEqual([".trash", named].sort())
    expect(await undoSweep(home.blobs)).toMatchObject({ count: 1 })
    expect(await namesIn(home.blobs)).toEqual([".trash", named, lost].sort())
  })
})
