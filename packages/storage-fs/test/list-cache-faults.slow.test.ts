import { appendFile, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { SessionManager } from "@treelog/session-core"
import { FileSessionStorage, type FsPort, nodeFs } from "@treelog/storage-fs"
import { CrashError, type FaultKind, type FaultRun, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { describe, expect, it } from "vitest"
import { cacheFiles, freshScan, headerLine, listed, listedBy, longAgo, messageLine, withCache } from "./list-scene.js"
import { makePipe, tempDir } from "./store.js"

const FAULTS: FaultKind[] = ["EIO", "ENOSPC", "EINTR", "EPERM", "short", "short-ENOSPC"]
/** A store whose list was cached, one session that has grown since and one that is gone; the fault hits the cache alone. */
async function given({ inject }: FaultRun) {
  const agentDir = await tempDir()
  const cacheDir = join(agentDir, "cache")
  const folder = join(agentDir, "sessions", "--project--")
  await mkdir(folder, { recursive: true })
  const path = (name: string) => join(folder, `${name}.jsonl`)
  for (const name of ["a", "b", "c"]) {
    await writeFile(path(name), headerLine(name) + messageLine("u", "user"))
    const time = longAgo()
    await utimes(path(name), time, time)
  }
  await listed(agentDir, { cacheDir })
  await appendFile(path("a"), messageLine("more", "assistant"))
  await rm(path("b"))
  const reported: unknown[] = []
  const faulty = inject(nodeFs)
  const fs = onlyIn(cacheDir, faulty.fs)
  const { storage } = withCache({ agentDir, cacheDir, fs, onError: (error) => reported.push(error) })
  return { agentDir, cacheDir, storage, faulty, reported }
}

/** The file system of Node, but for what is in a folder. */
function onlyIn(folder: string, faulty: FsPort): FsPort {
  return new Proxy(nodeFs, {
    get: (_, name: keyof FsPort) => {
      return (path: string, ...rest: never[]) => {
        const fs = path.startsWith(folder) ? faulty : nodeFs
        return (fs[name] as (...args: unknown[]) => unknown)(path, ...rest)
      }
    },
  })
}

/** Each cache file begins with its heading, and none is left half written under another name. */
async function expectWholeFiles(cacheDir: string): Promise<void> {
  for (const path of await cacheFiles(cacheDir)) {
    expect(path).toMatch(/\.list$/)
    expect(await readFile(path, "utf8")).toMatch(/^\{"treelog":"sessions",/)
  }
}

describe("when one call on the cache fails", () => {
  it("the list is right, the reason is reported, and the next list is right too", async () => {
    const count = await forEachFault(FAULTS, async (run) => {
      const { agentDir, cacheDir, storage, faulty, reported } = await given(run)
      const fresh = await freshScan(agentDir)
      faulty.arm()
      expect(await listedBy(storage)).toEqual(fresh)
      faulty.disarm()
      const isFailure = ["EIO", "ENOSPC", "EPERM"].includes(run.plan.fault)
      // That a session cannot be looked at, or a temporary file not be removed, is no reason to do without the cache.
      if (isFailure && faulty.hit && !["lstat", "unlink"].includes(faulty.hit))
        expect(reported).toMatchObject([{ code: "StorageError", data: { key: cacheDir } }])
      expect(reported.length).toBeLessThanOrEqual(1)
      expect(await listedBy(storage)).toEqual(fresh)
      expect(await listed(agentDir, { cacheDir })).toEqual(fresh)
      if (faulty.hit !== "unlink") await expectWholeFiles(cacheDir)
    })
    expect(count).toBeGreaterThan(5)
  })

  it("the list is right also where the call was carried out all the same", async () => {
    await forEachFault(
      ["EIO"],
      async (run) => {
        const { agentDir, cacheDir, storage, faulty } = await given(run)
        const fresh = await freshScan(agentDir)
        faulty.arm()
        expect(await listedBy(storage)).toEqual(fresh)
        expect(await listed(agentDir, { cacheDir })).toEqual(fresh)
      },
      { late: true },
    )
  })

  it("a process that dies at it leaves a cache that does no harm", async () => {
    await forEachFault(["crash", "torn-crash"], async (run) => {
      const { agentDir, cacheDir, storage, faulty } = await given(run)
      faulty.arm()
      const list = listAll(storage)
      if (run.plan.at === 1) await expect(list).rejects.toThrow(CrashError)
      await list.catch((error: unknown) => expect(error).toBeInstanceOf(CrashError))
      expect(await listed(agentDir, { cacheDir })).toEqual(await freshScan(agentDir))
      expect(await listed(agentDir, { cacheDir })).toEqual(await freshScan(agentDir))
    })
  })
})

describe("when one call on a session or its folder fails", () => {
  it("the others are listed, that one with its error or without, and the next list is right", async () => {
    const count = await forEachFault(["EIO", "EPERM"], async (run) => {
      const { agentDir, cacheDir, faulty } = await given(run)
      const { storage } = withCache({ agentDir, cacheDir, fs: onlyIn(join(agentDir, "sessions"), faulty.fs) })
      const fresh = await freshScan(agentDir)
      faulty.arm()
      const infos = await listedBy(storage)
      faulty.disarm()
      const paths = new Set(fresh.map(({ path }) => path))
      const whole = infos.filter(({ error }) => !error)
      expect(infos.filter(({ error }) => error).length).toBeLessThanOrEqual(1)
      expect(fresh).toEqual(expect.arrayContaining(whole))
      // A folder that could not be read is named itself.
      expect(infos.length).toBeGreaterThanOrEqual(faulty.hit?.startsWith("readdir") ? 1 : paths.size)
      expect(await listedBy(storage)).toEqual(fresh)
      expect(await listed(agentDir, { cacheDir })).toEqual(fresh)
    })
    expect(count).toBeGreaterThanOrEqual(4)
  })
})

describe("a cache file that is no file", () => {
  it.each(["a pipe", "a link", "a device", "a folder"])(
    "but %s is not read, reported once, and no list waits for it",
    async (kind) => {
      const agentDir = await tempDir()
      const cacheDir = join(agentDir, "cache")
      const folder = join(agentDir, "sessions", "--project--")
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, "a.jsonl"), headerLine("a") + messageLine("u", "user"))
      await utimes(join(folder, "a.jsonl"), longAgo(), longAgo())
      await listed(agentDir, { cacheDir })
      const [file = ""] = await cacheFiles(cacheDir)
      const target = join(agentDir, "not-ours")
      await rename(file, target)
      const secret = await readFile(target)
      if (kind === "a pipe") makePipe(file)
      else if (kind === "a folder") await mkdir(file)
      else await symlink(kind === "a link" ? target : "/dev/zero", file)
      const reported: unknown[] = []
      const storage = new FileSessionStorage({ agentDir, cacheDir, onCacheError: (error) => reported.push(error) })
      const fresh = await freshScan(agentDir)
      expect(await listedBy(storage)).toEqual(fresh)
      expect(await listedBy(storage)).toEqual(fresh)
      expect(reported).toMatchObject([{ code: "StorageError" }])
      // What the link leads to is somebody else's.
      expect(await readFile(target)).toEqual(secret)
      expect(await listed(agentDir, { cacheDir })).toEqual(fresh)
    },
  )
})

async function listAll(storage: FileSessionStorage): Promise<void> {
  for await (const _ of new SessionManager({ storage }).listAll());
}
