import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"
import { cacheFolderOf } from "@treelog-internal/fs"
import { describe, expect, it } from "vitest"
import {
  cacheFiles,
  freshScan,
  headerLine,
  listed,
  listedBy,
  longAgo,
  messageLine,
  WatchedFs,
  withCache,
} from "./list-scene.js"
import { namesIn, tempDir } from "./store.js"

/** A store with so many sessions in each of two folders, and a cache folder that is not there yet. Messages are so long. */
async function given({ sessions = 3, settled = true, length = 10 } = {}) {
  const agentDir = await tempDir()
  const cacheDir = join(await tempDir(), "cache")
  const paths: string[] = []
  for (const folder of ["--one--", "--two--"]) {
    await mkdir(join(agentDir, "sessions", folder), { recursive: true })
    for (let count = 0; count < sessions; count++) {
      const path = join(agentDir, "sessions", folder, `2026-03-07T14-00-00-000Z_${folder}${count}.jsonl`)
      await writeFile(path, headerLine(`${folder}${count}`) + messageLine("u", "user", { content: "x".repeat(length) }))
      if (settled) await age(path)
      paths.push(path)
    }
  }
  return { agentDir, cacheDir, paths, path: paths[0] as string }
}

async function age(path: string): Promise<void> {
  const time = longAgo()
  await utimes(path, time, time)
}

/** The sessions that a new process opens for a list, by name. */
async function openedBy(agentDir: string, cacheDir: string): Promise<string[]> {
  const watched = new WatchedFs()
  expect(await listed(agentDir, { cacheDir, fs: watched.fs })).toEqual(await freshScan(agentDir))
  return watched.opened.filter((path) => path.endsWith(".jsonl")).map((path) => basename(path))
}

describe("the cache of lists", () => {
  it("spares the next process all reading: it opens one file, and no session", async () => {
    const { agentDir, cacheDir } = await given()
    await listed(agentDir, { cacheDir })
    const watched = new WatchedFs()
    expect(await listed(agentDir, { cacheDir, fs: watched.fs })).toEqual(await freshScan(agentDir))
    expect(watched.opened.sort()).toEqual(await cacheFiles(cacheDir))
    expect(watched.opened).toHaveLength(1)
  })

  it("is not read again by the process that filled it", async () => {
    const { agentDir, cacheDir } = await given()
    const watched = new WatchedFs()
    const storage = new FileSessionStorage({ agentDir, terminalId: "t", cacheDir, fs: watched.fs })
    const first = await listedBy(storage)
    watched.opened.length = 0
    expect(await listedBy(storage)).toEqual(first)
    expect(watched.opened).toEqual([])
  })

  it("has only what was appended read, and a last line without its end once more", async () => {
    const { agentDir, cacheDir, path } = await given()
    await appendFile(path, messageLine("long", "user", { content: "x".repeat(100_000) }))
    await age(path)
    await listed(agentDir, { cacheDir })
    const half = messageLine("half", "assistant").slice(0, 60)
    for (const added of [messageLine("more", "assistant"), half, messageLine("half", "assistant").slice(60)]) {
      await appendFile(path, added)
      await age(path)
      const watched = new WatchedFs()
      expect(await listed(agentDir, { cacheDir, fs: watched.fs })).toEqual(await freshScan(agentDir))
      expect(watched.read.get(path)).toBeLessThan(2_000)
    }
  })

  it.each([
    ["touched", age],
    ["cut", (path: string) => truncate(path, 150)],
    [
      "exchanged for a copy",
      async (path: string) => {
        await writeFile(`${path}.tmp`, await readFile(path))
        await rename(`${path}.tmp`, path)
      },
    ],
    [
      "written anew and longer",
      (path: string) => writeFile(path, headerLine("other") + messageLine("u", "user").repeat(9)),
    ],
  ])("has a session read whole that was %s", async (_, change) => {
    const { agentDir, cacheDir, path } = await given()
    await listed(agentDir, { cacheDir })
    await change(path)
    const watched = new WatchedFs()
    expect(await listed(agentDir, { cacheDir, fs: watched.fs })).toEqual(await freshScan(agentDir))
    expect(watched.read.get(path)).toBeGreaterThanOrEqual((await stat(path)).size)
  })

  it("does not trust a session that was written just before it was read", async () => {
    const { agentDir, cacheDir, path } = await given({ sessions: 1, settled: false })
    const now = { ms: 0 }
    const { cache } = withCache({ agentDir, cacheDir, now: () => now.ms })
    const ask = async (path: string, ms: number) => {
      now.ms = (await stat(path)).mtimeMs + ms
      const found = await cache.find(path)
      if (!found?.stat) throw new Error("it is gone")
      cache.put(path, found.stat, { version: 1, cwd: "/", modified: 0, info: {}, resume: {} })
      return found.cached?.isCurrent ?? false
    }
    expect([await ask(path, 1), await ask(path, 2), await ask(path, 50), await ask(path, 51)]).toEqual([
      false,
      false,
      false,
      true,
    ])
    // Whole milliseconds may be those of a file system that counts seconds.
    await age(path)
    expect([await ask(path, 50), await ask(path, 1_000), await ask(path, 3_000), await ask(path, 3_001)]).toEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it("keeps what cannot be read apart: it is listed with its error, again and again", async () => {
    const { agentDir, cacheDir, path } = await given()
    await writeFile(path, "garbage\n")
    await age(path)
    const first = await listed(agentDir, { cacheDir })
    expect(first.filter(({ error }) => error)).toMatchObject([{ path, error: { code: "InvalidSessionError" } }])
    expect(await openedBy(agentDir, cacheDir)).toEqual([])
  })

  it("drops what is gone: sessions, one or many at once", async () => {
    const { agentDir, cacheDir, paths, path } = await given({ sessions: 2 })
    await listed(agentDir, { cacheDir })
    await unlink(path)
    await listed(agentDir, { cacheDir })
    expect(await sessionsIn(cacheDir)).toEqual(paths.slice(1).map((kept) => basename(kept)))
    await rm(dirname(path), { recursive: true })
    await unlink(paths[2] as string)
    await listed(agentDir, { cacheDir })
    expect(await sessionsIn(cacheDir)).toEqual(paths.slice(3).map((kept) => basename(kept)))
  })

  it("keeps what a list that was stopped did not come to", async () => {
    const { agentDir, cacheDir } = await given({ sessions: 4 })
    await listed(agentDir, { cacheDir })
    const storage = new FileSessionStorage({ agentDir, terminalId: "t", cacheDir })
    for await (const _ of new SessionManager({ storage }).listAll()) break
    expect(await openedBy(agentDir, cacheDir)).toEqual([])
  })

  it("gets lines for what is new, and is written anew when it has too many", async () => {
    const { agentDir, cacheDir, path } = await given({ sessions: 2 })
    await listed(agentDir, { cacheDir })
    const [file = ""] = await cacheFiles(cacheDir)
    const before = await readFile(file, "utf8")
    await appendFile(path, messageLine("more", "assistant"))
    expect(await listed(agentDir, { cacheDir })).toEqual(await freshScan(agentDir))
    expect((await readFile(file, "utf8")).startsWith(before)).toBe(true)
    const batch = before.slice(before.indexOf("\n") + 1)
    const damages = [batch.replace(/x{9}/, "y"), batch.slice(0, -20), batch.replace(/^\d+/, "1000000000"), "\n", "\0"]
    for (const added of [...damages, batch.repeat(400)]) {
      await appendFile(file, added)
      await appendFile(path, messageLine("most", "assistant"))
      await age(path)
      expect(await openedBy(agentDir, cacheDir)).toEqual([basename(path)])
      // The heading, the length of the only batch, the heads, and the four sessions.
      expect((await readFile(file, "utf8")).trimEnd().split("\n")).toHaveLength(7)
      expect(await openedBy(agentDir, cacheDir)).toEqual([])
    }
  })

  it("is the same for processes that list at the same time", async () => {
    const { agentDir, cacheDir } = await given({ sessions: 20 })
    const fresh = await freshScan(agentDir)
    const lists = await Promise.all(Array.from({ length: 6 }, () => listed(agentDir, { cacheDir })))
    for (const list of lists) expect(list).toEqual(fresh)
    expect(await openedBy(agentDir, cacheDir)).toEqual([])
  })

  it("serves the lists of one folder, the newest and names as well", async () => {
    const { agentDir, cacheDir, paths } = await given()
    await listed(agentDir, { cacheDir })
    const watched = new WatchedFs()
    const sessions = new SessionManager({
      storage: new FileSessionStorage({ agentDir, terminalId: "t", cacheDir, fs: watched.fs }),
    })
    expect(paths).toContain(await sessions.resolve("@last"))
    await expect(sessions.resolve("no such name")).rejects.toMatchObject({ code: "SessionNotFoundError" })
    expect(await sessions.recent("/project", 2)).toEqual([])
    expect(watched.opened.filter((path) => path.endsWith(".jsonl"))).toEqual([])
  })

  it("is no part of finding a full id: that opens the one session, and a little of it", async () => {
    const { agentDir, cacheDir, path } = await given()
    await appendFile(path, messageLine("long", "user", { content: "x".repeat(100_000) }))
    const watched = new WatchedFs()
    const storage = new FileSessionStorage({ agentDir, terminalId: "t", cacheDir, fs: watched.fs })
    expect(await new SessionManager({ storage }).resolve("--one--0")).toBe(path)
    expect(watched.opened).toEqual([path])
    expect(watched.read.get(path)).toBeLessThan(10_000)
  })
})

describe("where the cache lies", () => {
  it("is a folder of treelog's own, that is made when there is something to keep, and can be read by its owner alone", async () => {
    const { agentDir, cacheDir, paths } = await given()
    const before = await namesIn(join(agentDir, "sessions"))
    new FileSessionStorage({ agentDir, terminalId: "t", cacheDir })
    await expect(stat(cacheDir)).rejects.toMatchObject({ code: "ENOENT" })
    await listed(agentDir, { cacheDir })
    const modes = await Promise.all(
      [cacheDir, ...(await cacheFiles(cacheDir))].map(async (path) => (await stat(path)).mode),
    )
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(["700", "600"])
    expect(await namesIn(agentDir)).toEqual(["sessions"])
    expect(await namesIn(join(agentDir, "sessions"))).toEqual(before)
    expect(await namesIn(dirname(paths[0] as string))).toHaveLength(3)
  })

  it.each([
    [{ HOME: "/h", TREELOG_CACHE_DIR: "/c", XDG_CACHE_HOME: "/x" }, "linux", "/c"],
    [{ HOME: "/h", TREELOG_CACHE_DIR: "~/c" }, "linux", "/h/c"],
    [{ HOME: "/h", XDG_CACHE_HOME: "/x" }, "darwin", "/x/treelog"],
    [{ HOME: "/h", XDG_CACHE_HOME: "relative" }, "linux", "/h/.cache/treelog"],
    [{ HOME: "/h", TREELOG_CACHE_DIR: "" }, "freebsd", "/h/.cache/treelog"],
    [{ HOME: "/h" }, "darwin", "/h/Library/Caches/treelog"],
    [{ HOME: "/h", LOCALAPPDATA: "/l" }, "win32", "/l/treelog/Cache"],
  ] as const)("is with %j on %s: %s", (env, platform, folder) => {
    expect(cacheFolderOf(env, platform)).toBe(folder)
  })

  it("is nowhere, if so wanted", async () => {
    const { agentDir } = await given()
    const home = await tempDir()
    await listed(agentDir, { cacheDir: null, env: { HOME: home } })
    expect(await namesIn(home)).toEqual([])
    await listed(agentDir, { env: { HOME: home, TREELOG_CACHE_DIR: join(home, "here") } })
    expect(await namesIn(home)).toEqual(["here"])
  })

  it("may be a place that cannot be used: the list is right, and the first reason is reported, once", async () => {
    const { agentDir, cacheDir } = await given()
    await writeFile(cacheDir, "a file, and no folder")
    const reported: unknown[] = []
    const storage = new FileSessionStorage({
      agentDir,
      terminalId: "t",
      cacheDir,
      onCacheError: (error) => reported.push(error),
    })
    expect(await listedBy(storage)).toEqual(await freshScan(agentDir))
    expect(await listedBy(storage)).toEqual(await freshScan(agentDir))
    expect(reported).toMatchObject([{ code: "StorageError", data: { key: cacheDir, operation: "write" } }])
    expect(await readFile(cacheDir, "utf8")).toBe("a file, and no folder")
  })

  it.runIf(process.getuid?.() !== 0)(
    "may be a folder that nothing can be written to (not tried as root, whom no mode stops)",
    async () => {
      const { agentDir, cacheDir } = await given()
      await mkdir(cacheDir, { mode: 0o500 })
      const reported: unknown[] = []
      expect(await listed(agentDir, { cacheDir, onCacheError: (error) => reported.push(error) })).toEqual(
        await freshScan(agentDir),
      )
      expect(reported).toMatchObject([{ data: { errno: "EACCES" } }])
      await chmod(cacheDir, 0o700)
    },
  )
})

/** The sessions that the cache has something about, by name. */
async function sessionsIn(cacheDir: string): Promise<string[]> {
  const files = await Promise.all((await cacheFiles(cacheDir)).map((path) => readFile(path, "utf8")))
  const names = files.flatMap((file) => [...file.matchAll(/"[^"]*\/([^"/]+)",\d/g)].map(([, name = ""]) => name))
  return [...new Set(names)].sort((a, b) => (a < b ? -1 : 1))
}
