import { readdir, readFile, rename, symlink, unlink, utimes, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { isTreelogError, SessionManager } from "@treelog/session-core"
import type { Lease } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { createSync, openSync } from "@treelog/session-core/sync"
import { nodeFs } from "@treelog/storage-fs"
import { FaultFs } from "@treelog-internal/test-kit/fault-fs"
import { killProcess, nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import { describe, expect, it } from "vitest"
import { litter } from "./scene.js"
import { AT_ONCE, bytes, killOwners, namesIn, newKey, stored, storeIn, tempDir } from "./store.js"

const users = otherProcesses(join(import.meta.dirname, "child", "session-user.ts"))

function start(task: "hold" | "contend" | "take-turns" | "write" | "keep", agentDir: string, key: string, times = 1) {
  return users.start(task, agentDir, key, times)
}

interface Lock {
  readonly pid?: number
  readonly since?: string
  readonly boot?: string
  readonly space?: string
}

async function lockOf(key: string): Promise<Lock> {
  return JSON.parse(await readFile(`${key}.lock`, "utf8")) as Lock
}

async function forge(key: string, change: Record<string, unknown>): Promise<void> {
  await writeFile(`${key}.lock`, JSON.stringify({ ...(await lockOf(key)), ...change }))
}

describe("a lease", () => {
  it("notes who holds the session, since when, and how", async () => {
    const { key, lease } = await stored(await storeIn(), "{}\n")
    const lock = await lockOf(key)
    expect(lock).toMatchObject({ pid: process.pid, host: hostname(), access: "exclusive" })
    expect(Math.abs(Date.parse(String(lock.since)) - Date.now())).toBeLessThan(60_000)
    await lease.release()
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("whose lock a person removed writes on, loses nothing of the next holder, and leaves its lock alone", async () => {
    const storage = await storeIn()
    const { key, lease: first } = await stored(storage, "one\n")
    const stat = await storage.stat(key)
    if (!stat) throw new Error("nothing is stored")
    await unlink(`${key}.lock`)
    const second = await storage.lease(key, AT_ONCE)
    const grown = await second.append(bytes("two\n"), stat)
    await expect(first.append(bytes("three\n"), stat)).rejects.toMatchObject({
      code: "SessionChangedError",
      data: { change: "grown" },
    })
    await first.append(bytes("three\n"), grown)
    await first.release()
    expect(await readFile(key, "utf8")).toBe("one\ntwo\nthree\n")
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
    await second.release()
  })

  it("of another process excludes this one, whose error names it", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { key, lease } = await stored(storage, "{}\n")
    await lease.release()
    const holder = start("hold", agentDir, key)
    expect(await nextMessage(holder)).toBe("held")
    const refuse = () => storage.lease(key, AT_ONCE).catch((reason: unknown) => reason)
    const error = await refuse()
    expect(isTreelogError(error, "SessionBusyError") && error.data).toMatchObject({
      key,
      pid: holder.pid,
      host: hostname(),
    })
  })

  it("of a killed process is taken over at once", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { key, lease } = await stored(storage, "one\n")
    await lease.release()
    const holder = start("hold", agentDir, key)
    await nextMessage(holder)
    await killProcess(holder)
    const next = await storage.lease(key, AT_ONCE)
    const stat = await storage.stat(key)
    if (stat !== undefined) await next.append(bytes("two\n"), stat)
    await next.release()
    expect(await readFile(key, "utf8")).toBe("one\ntwo\n")
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("is taken over when its pid was given to another process", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    await storage.lease(key, AT_ONCE)
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
    await forge(key, { pid: process.ppid })
    await (await storage.lease(key, AT_ONCE)).release()
  })

  it("is taken over when the machine was restarted", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    await storage.lease(key, AT_ONCE)
    const hasBoots = "boot" in (await lockOf(key))
    await forge(key, { boot: "another boot" })
    if (hasBoots) await (await storage.lease(key, AT_ONCE)).release()
  })

  it("is taken over when its owner was in a container that is gone", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    await storage.lease(key, AT_ONCE)
    const { space } = await lockOf(key)
    await forge(key, { space: "pid:[1]", started: "1" })
    // From a namespace that is not the machine's own, it cannot be seen that there is no such process.
    if (space === "pid:[4026531836]") await (await storage.lease(key, AT_ONCE)).release()
    else await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
  })

  it("is never taken over while its owner lives in another namespace of pids, nor where that cannot be seen", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    await storage.lease(key, AT_ONCE)
    for (const other of [{ space: "pid:[1]" }, { space: undefined }, { boot: undefined }]) {
      await forge(key, other)
      const found = await storage.lease(key, AT_ONCE).catch((error: unknown) => error)
      expect(isTreelogError(found, "SessionBusyError") || process.platform !== "linux").toBe(true)
    }
  })

  it("of another machine is never taken over", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    await storage.lease(key, AT_ONCE)
    await forge(key, { host: "elsewhere", pid: 1, started: "0", boot: "another boot" })
    const busy = { code: "SessionBusyError", data: { host: "elsewhere" } }
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject(busy)
  })

  it("that cannot be read is held for a moment around its time, also where that lies ahead", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "{}\n")
    await lease.release()
    for (const garbage of [
      "",
      "{",
      "null",
      '{"pid":-1,"host":"x","token":"0123456789abcdef","since":"y"}',
      '{"pid":1,"host":"x","token":"../../x","since":"y"}',
    ]) {
      await writeFile(`${key}.lock`, garbage)
      await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError", data: { pid: 0 } })
      for (const age of [11_000, -11_000, -3_600_000]) {
        await writeFile(`${key}.lock`, garbage)
        await utimes(`${key}.lock`, new Date(0), new Date(Date.now() - age))
        await (await storage.lease(key, AT_ONCE)).release()
      }
    }
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  describe("that cannot be removed when it is released", () => {
    async function leftLocked() {
      const faulty = new FaultFs(nodeFs, { fault: "EIO", operation: "unlinkSync" }, { armed: false })
      const storage = await storeIn(undefined, { fs: faulty.fs })
      const key = newKey(storage)
      const lease = await storage.lease(key, AT_ONCE)
      faulty.arm()
      const reported = { code: "StorageError", data: { operation: "release", errno: "EIO" } }
      await expect(lease.release()).rejects.toMatchObject(reported)
      expect(await namesIn(dirname(key))).toEqual([`${basename(key)}.lock`])
      return { storage, key, lease }
    }

    it("is no hindrance for the same process, and is not taken from its next holder", async () => {
      const { storage, key, lease } = await leftLocked()
      await expect(lease.sync()).rejects.toMatchObject({ code: "StorageError" })
      const next = await storage.lease(key, AT_ONCE)
      await lease.release()
      await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
      await next.release()
      expect(await namesIn(dirname(key))).toEqual([])
    })

    it("is removed by a second release", async () => {
      const { key, lease } = await leftLocked()
      await lease.release()
      await lease.release()
      expect(await namesIn(dirname(key))).toEqual([])
    })
  })

  it("that is lost is not taken from its next holder", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    const lost = await storage.lease(key, AT_ONCE)
    await unlink(`${key}.lock`)
    const next = await storage.lease(key, AT_ONCE)
    await lost.release()
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
    await next.release()
  })

  it("is one for all names of a file, and leaves links in their place", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "one\n")
    await lease.release()
    const link = join(await tempDir(), "link.jsonl")
    await symlink(key, link)
    const mine = await storage.lease(link, AT_ONCE)
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError", data: { key } })
    const expected = await storage.stat(link)
    if (expected === undefined) throw new Error("it is gone")
    const { stat, kept } = await mine.replace([bytes("two\n")], { expected, keepAs: ".bak" })
    await mine.append(bytes("three\n"), stat)
    expect(kept).toBe(`${key}.bak`)
    expect(await readFile(key, "utf8")).toBe("two\nthree\n")
    const moved = join(dirname(dirname(link)), basename(dirname(link)), "moved.jsonl")
    await mine.move(moved)
    expect(await readFile(moved, "utf8")).toBe("two\nthree\n")
    expect(await namesIn(dirname(moved))).toEqual(["moved.jsonl"])
    await mine.release()
    expect(await namesIn(dirname(key))).toEqual([basename(key), `${basename(key)}.bak`])
  })

  it("works where the file system has no hard links", async () => {
    const without = (fs: typeof nodeFs, operation: string) =>
      new FaultFs(fs, { fault: "EPERM", operation, times: Number.POSITIVE_INFINITY }).fs
    const fs = without(without(nodeFs, "link"), "linkSync")
    const storage = await storeIn(undefined, { fs })
    const { key, lease } = await stored(storage, "old\n")
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
    await expect(lease.create([])).rejects.toMatchObject({ code: "SessionExistsError" })
    const expected = await storage.stat(key)
    if (expected === undefined) throw new Error("it is gone")
    const { kept } = await lease.replace([bytes("new\n")], { expected, keepAs: ".bak" })
    expect(await readFile(kept ?? "", "utf8")).toBe("old\n")
    await killOwners(dirname(key))
    await (await storage.lease(key, AT_ONCE)).release()
    expect(await namesIn(dirname(key))).toEqual([basename(key), `${basename(key)}.bak`])
  })

  it("refuses suffixes that lead elsewhere or into the listing", async () => {
    const storage = await storeIn()
    const { key, lease } = await stored(storage, "old\n")
    const expected = await storage.stat(key)
    if (expected === undefined) throw new Error("it is gone")
    for (const suffix of ["", "/../x", "\\x", ".jsonl"]) {
      const refused = { code: "InvalidArgumentError" }
      await expect(lease.replace([], { expected, keepAs: suffix })).rejects.toMatchObject(refused)
    }
    expect(await readFile(key, "utf8")).toBe("old\n")
    await lease.release()
  })

  describe("of a session whose folder is renamed", () => {
    async function renamed() {
      const storage = await storeIn()
      const { key, lease } = await stored(storage, "old\n")
      const folder = `${dirname(key)}-elsewhere`
      await rename(dirname(key), folder)
      const stat = { size: 4, modified: 0, identity: "" }
      await expect(lease.append(bytes("x"), stat)).rejects.toMatchObject({ data: { change: "gone" } })
      return { storage, lease, key, moved: join(folder, basename(key)) }
    }

    it.each(["before", "after"] as const)(
      "does not keep its own process out at the new place, %s its release",
      async (when) => {
        const { storage, lease, moved } = await renamed()
        if (when === "after") await lease.release()
        expect(await storage.holderOf(moved)).toBeUndefined()
        const next = await storage.lease(moved, AT_ONCE)
        if (when === "before") await lease.release()
        await expect(storage.lease(moved, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
        await next.release()
        expect(await namesIn(dirname(moved))).toEqual([basename(moved)])
      },
    )

    it("still keeps its own process out by another path to the same place", async () => {
      const storage = await storeIn()
      const { key, lease } = await stored(storage, "old\n")
      const link = join(await tempDir(), "link")
      await symlink(dirname(key), link)
      await expect(storage.lease(join(link, basename(key)), AT_ONCE)).rejects.toMatchObject({
        code: "SessionBusyError",
      })
      await lease.release()
    })

    it("keeps other processes out for as long as its process may write", async () => {
      const { lease, moved } = await renamed()
      const other = start("contend", dirname(dirname(dirname(moved))), moved)
      await nextMessage(other)
      other.send("go")
      expect(await nextMessage(other)).toBe("busy")
      await lease.release()
    })
  })
})

describe("many who want one session", () => {
  it("of 20 at a stale lock, one gets it at a time", async () => {
    const storage = await storeIn()
    const key = newKey(storage)
    for (let round = 0; round < 10; round++) {
      await storage.lease(key, AT_ONCE)
      await killOwners(dirname(key))
      const wishes = Array.from({ length: 20 }, () => storage.lease(key, AT_ONCE))
      const outcomes = await Promise.allSettled(wishes)
      const won = outcomes.filter((outcome): outcome is PromiseFulfilledResult<Lease> => outcome.status === "fulfilled")
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "SessionBusyError" })
      }
      expect(won).toHaveLength(1)
      await won[0]?.value.release()
      expect(await readdir(dirname(key))).toEqual([])
    }
  })

  it("of 20 processes at a stale lock, one gets it", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const key = newKey(storage)
    const all = Array.from({ length: 20 }, () => start("contend", agentDir, key))
    await Promise.all(all.map(nextMessage))
    await storage.lease(key, AT_ONCE)
    await killOwners(dirname(key))
    for (const one of all) one.send("go")
    const outcomes = await Promise.all(all.map(nextMessage))
    expect(outcomes.sort()).toEqual([...Array(19).fill("busy"), "won"])
  })

  it("8 processes that take turns never have it at once, and lose nothing", async () => {
    const agentDir = await tempDir()
    const { key, lease } = await stored(await storeIn(agentDir), "")
    await lease.release()
    const all = Array.from({ length: 8 }, () => start("take-turns", agentDir, key, 40))
    expect(await Promise.all(all.map(nextMessage))).toEqual(Array(8).fill("done"))
    const lines = (await readFile(key, "utf8")).trimEnd().split("\n")
    expect(new Set(lines).size).toBe(320)
    expect(lines).toHaveLength(320)
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("the others go on when one of them is killed, at any moment", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { key, lease } = await stored(storage, "")
    await lease.release()
    const all = Array.from({ length: 4 }, () => start("take-turns", agentDir, key, 60))
    const done = Promise.all(all.map(nextMessage))
    for (let round = 0; round < 8; round++) {
      const doomed = start("take-turns", agentDir, key, 1000)
      await new Promise((resolve) => setTimeout(resolve, 80 + 11 * round))
      await killProcess(doomed)
    }
    expect(await done).toEqual(Array(4).fill("done"))
    const lines = (await readFile(key, "utf8")).trimEnd().split("\n")
    const theirs = lines.filter((line) => all.some(({ pid }) => line.startsWith(`${pid} `)))
    expect(new Set(theirs).size).toBe(240)
    expect(theirs).toHaveLength(240)
    await (await storage.lease(key, AT_ONCE)).release()
    expect(await litter(dirname(key))).toEqual([basename(key)])
  })
})

describe("a writer that is killed", () => {
  it("loses no line that it called safe", async () => {
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { key, lease } = await stored(storage, "")
    await lease.release()
    for (let round = 0; round < 10; round++) {
      const before = (await readFile(key, "utf8")).length
      const writer = start("write", agentDir, key)
      let safe = ""
      writer.on("message", (text) => {
        safe += String(text)
      })
      await nextMessage(writer)
      await new Promise((resolve) => setTimeout(resolve, 5 + 7 * round))
      await killProcess(writer)
      const found = (await readFile(key, "utf8")).slice(before)
      expect(safe.length).toBeGreaterThan(0)
      expect(found.startsWith(safe)).toBe(true)
      const next = await storage.lease(key, AT_ONCE)
      const stat = await storage.stat(key)
      if (stat !== undefined) await next.append(bytes("\n"), stat)
      await next.release()
    }
  })
})

describe("a lock that a process keeps for its next append", () => {
  const THROUGH = { access: "shared", persist: "append" } as const
  const message = (content: string) => ({ role: "user" as const, content, timestamp: 0 })

  async function kept() {
    const agentDir = await tempDir()
    const sessions = new SessionManager({ storage: await storeIn(agentDir) })
    const first = createSync(sessions, "/project", THROUGH)
    first.appendMessage(message("first"))
    const key = first.getSessionFile() ?? ""
    await first.close()
    const keeper = start("keep", agentDir, key)
    const theirs: string[] = []
    keeper.on("message", (id) => theirs.push(String(id)))
    await nextMessage(keeper)
    return { sessions, key, keeper, theirs }
  }

  const idsIn = async (key: string) =>
    (await readFile(key, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id)

  it("is given up to another process that asks for it, each time, and both go on", async () => {
    const { sessions, key, keeper, theirs } = await kept()
    const session = openSync(sessions, key, THROUGH)
    const ours: string[] = []
    for (let turn = 0; turn < 5; turn++) {
      ours.push(session.appendMessage(message("ours")))
      const before = theirs.length
      await expect.poll(() => theirs.length, { timeout: 10_000 }).toBeGreaterThan(before)
    }
    await killProcess(keeper)
    await session.close()
    const stored = await idsIn(key)
    expect(stored.filter((id) => ours.includes(id))).toEqual(ours)
    expect(stored.filter((id) => theirs.includes(id))).toEqual(theirs)
    expect((await verifySession(sessions, key)).diagnostics).toEqual([])
  })

  it("blocks nobody when its process is killed", async () => {
    const { sessions, key, keeper, theirs } = await kept()
    await expect.poll(async () => (await namesIn(dirname(key))).includes(`${basename(key)}.lock`)).toBe(true)
    await killProcess(keeper)
    expect((await lockOf(key)).pid).toBe(keeper.pid)
    const session = openSync(sessions, key, { ...THROUGH, busyTimeoutMs: 0 })
    const ours = session.appendMessage(message("ours"))
    await session.close()
    expect((await idsIn(key)).at(-1)).toBe(ours)
    expect(await idsIn(key)).toEqual(expect.arrayContaining(theirs))
    expect(await litter(dirname(key))).toEqual([basename(key)])
  })
})
