import { spawn } from "node:child_process"
import { appendFile, readFile, truncate } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { isTreelogError, SessionManager } from "@treelog/session-core"
import { CrashError, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { otherProcesses } from "@treelog-internal/test-kit/processes"
import { describe, expect, it } from "vitest"
import { type FsPort, nodeFs } from "../src/index.js"
import { holdSyncs } from "./held-syncs.js"
import { AT_ONCE, killOwners, namesIn, storeIn, tempDir } from "./store.js"

// A test of faults is hundreds of runs.

const writers = otherProcesses(join(import.meta.dirname, "child", "sync-writer.ts"))

type WriterTask = "exit" | "throw" | "flush" | "listen" | "append"

const THROUGH = { access: "shared", durability: "write-through" } as const
const message = (text: string) => ({ role: "user" as const, content: text, timestamp: 0 })
const managerOf = async (agentDir?: string, fs = nodeFs) =>
  new SessionManager({ storage: await storeIn(agentDir, { fs }) })

/** The ids of the entries that a file holds, in order; a torn last line is none. */
async function idsIn(path: string): Promise<string[]> {
  const lines = (await readFile(path, "utf8")).split("\n").slice(1, -1)
  return lines.filter(Boolean).map((line) => JSON.parse(line).id)
}

describe("a session that writes through", () => {
  it("stores each entry once and in order, whichever call fails, when the next append tries again", async () => {
    const count = await forEachFault(["EIO", "ENOSPC", "EINTR", "EPERM", "short", "short-ENOSPC"], async (run) => {
      const faulty = run.inject(nodeFs)
      const sessions = await managerOf(undefined, faulty.fs)
      const session = sessions.createSync("/project", THROUGH)
      const key = session.getSessionFile() ?? ""
      faulty.arm()
      for (let number = 0; number < 4; number++) {
        attempt(() => session.appendMessage(message(`number ${number}`)))
        if (number === 1) await new Promise(setImmediate)
      }
      attempt(() => session.flushSync())
      faulty.disarm()
      session.flushSync()
      expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
      expect(session.getBranch()).toHaveLength(4)
      await session.close()
      expect((await sessions.verify(key)).diagnostics).toEqual([])
      // Where a file could not be removed, whoever comes next finds it.
      await (await (await storeIn(undefined)).lease(key, AT_ONCE)).release()
      expect((await namesIn(dirname(key))).filter((name) => !name.includes(".tmp"))).toEqual([basename(key)])
    })
    expect(count).toBeGreaterThan(20)
  })

  it("has lost nothing that an append returned for, whichever call the process dies at", async () => {
    const CRASHES: FaultKind[] = ["crash", "torn-crash"]
    const count = await forEachFault(CRASHES, async (run) => {
      const agentDir = await tempDir()
      const faulty = run.inject(nodeFs)
      const session = (await managerOf(agentDir, faulty.fs)).createSync("/project", { durability: "write-through" })
      const key = session.getSessionFile() ?? ""
      const acknowledged: string[] = []
      faulty.arm()
      for (let number = 0; number < 4; number++) attempt(() => acknowledged.push(session.appendMessage(message("a"))))

      const sessions = await managerOf(agentDir)
      if (acknowledged.length === 0) return
      await killOwners(dirname(key))
      const next = sessions.openSync(key, THROUGH)
      const found = next.getEntries().map(({ id }) => id)
      expect(found.slice(0, acknowledged.length)).toEqual(acknowledged)
      const added = next.appendMessage(message("more"))
      expect(await sessions.openSync(key, THROUGH).getBranch(added)).toHaveLength(found.length + 1)
      await next.close()
      const { diagnostics } = await sessions.verify(key)
      expect(diagnostics.filter(({ kind }) => kind !== "invalid-json" && kind !== "torn-line")).toEqual([])
    })
    expect(count).toBeGreaterThan(20)
  })

  it("is on the disk when flushSync returns, also while another sync is under way", async () => {
    let syncs = 0
    const { fs, held } = holdSyncs(() => ({ datasyncSync: () => void syncs++ }))
    const session = (await managerOf(undefined, fs)).createSync("/project", { persistFrom: "create" })
    await session.flush()
    session.appendMessage(message("one"))
    const flushing = session.flush()
    await expect.poll(() => held).toHaveLength(1)
    session.flushSync()
    expect(syncs).toBe(1)
    held[0]?.()
    await flushing
    await session.close()
  })

  it("closes a torn last line before it appends", async () => {
    const sessions = await managerOf()
    const first = sessions.createSync("/project", THROUGH)
    first.appendMessage(message("one"))
    const key = first.getSessionFile() ?? ""
    await appendFile(key, '{"type":"message","id":"torn')
    const second = sessions.openSync(key, THROUGH)
    const id = second.appendMessage(message("two"))
    expect((await readFile(key, "utf8")).split("\n")[2]).toBe('{"type":"message","id":"torn')
    expect(sessions.openSync(key, THROUGH).getLeafId()).toBe(id)
  })

  it("reads what a program without a lease appends between two appends, also within one turn", async () => {
    const sessions = await managerOf()
    const session = sessions.createSync("/project", THROUGH)
    const first = session.appendMessage(message("one"))
    const key = session.getSessionFile() ?? ""
    const { appendFileSync } = await import("node:fs")
    const theirs = (id: string) =>
      JSON.stringify({ type: "custom", id, parentId: first, timestamp: "", customType: "x" })
    appendFileSync(key, `${theirs("theirs-1")}\n`)
    const second = session.appendMessage(message("two"))
    appendFileSync(key, `${theirs("theirs-2")}\n`)
    session.appendMessage(message("three"))
    await new Promise(setImmediate)
    await appendFile(key, `${theirs("theirs-3")}\n`)
    const last = session.appendMessage(message("four"))
    expect(session.getBranch(second).map(({ id }) => id)).toEqual([first, second])
    expect(session.getEntries().map(({ id }) => id)).toEqual(await idsIn(key))
    expect(session.getEntries()).toHaveLength(7)
    expect(session.getLeafId()).toBe(last)
  })

  it("reads the whole line of a program without a lease that it had seen while a part of it was written", async () => {
    let rest = ""
    let key = ""
    const { appendFileSync } = await import("node:fs")
    const fs: FsPort = {
      ...nodeFs,
      openSync: (path, flags, mode) => {
        const file = nodeFs.openSync(path, flags, mode)
        const { writeSync } = file
        return Object.assign(file, {
          writeSync: (...args: Parameters<typeof writeSync>) => {
            if (path === key) appendFileSync(key, rest)
            if (path === key) rest = ""
            return writeSync(...args)
          },
        })
      },
    }
    const theirsOf = (id: string, parentId: string) =>
      `${JSON.stringify({ type: "custom", id, parentId, timestamp: "2026-01-01T00:00:00.000Z", customType: "x" })}\n`
    const length = theirsOf("theirs", "00000000").length
    for (let part = 1; part < length; part++) {
      const sessions = await managerOf(undefined, fs)
      const session = sessions.createSync("/project", THROUGH)
      const first = session.appendMessage(message("one"))
      await new Promise(setImmediate)
      key = session.getSessionFile() ?? ""
      const theirs = theirsOf("theirs", first)
      appendFileSync(key, theirs.slice(0, part))
      rest = theirs.slice(part)
      const second = session.appendMessage(message("two"))
      appendFileSync(key, theirsOf("child", "theirs"))
      const third = session.appendMessage(message("three"))
      expect(session.getEntries().map(({ id }) => id)).toEqual([first, "theirs", second, "child", third])
      expect(await idsIn(key)).toEqual([first, "theirs", second, "child", third])
      expect(session.getDiagnostics()).toEqual([])
      await session.close()
      expect((await sessions.verify(key)).diagnostics).toEqual([])
    }
  })

  it("writes to no file that was removed or replaced, and says so", async () => {
    const sessions = await managerOf()
    for (const isReplaced of [false, true]) {
      const session = sessions.createSync("/project", THROUGH)
      session.appendMessage(message("one"))
      const key = session.getSessionFile() ?? ""
      const { renameSync, rmSync, writeFileSync } = await import("node:fs")
      const text = await readFile(key, "utf8")
      if (isReplaced) {
        writeFileSync(`${key}.new`, text)
        renameSync(`${key}.new`, key)
      } else rmSync(key)
      expect(() => session.appendMessage(message("two"))).toThrow(expect.objectContaining({ code: "PersistError" }))
      await session.retry({ recreate: true })
      expect(await idsIn(key)).toHaveLength(2)
      await session.close()
    }
  })

  it("is opened without a lock while another program holds it, and reads what that one wrote before it writes", async () => {
    const agentDir = await tempDir()
    const theirs = (await managerOf(agentDir)).createSync("/project")
    const first = theirs.appendMessage(message("one"))
    theirs.flushSync()
    const key = theirs.getSessionFile() ?? ""
    const session = (await managerOf(agentDir)).openSync(key, { ...THROUGH, busyTimeoutMs: 0 })
    expect(session.getLeafId()).toBe(first)
    const second = theirs.appendMessage(message("two"))
    theirs.flushSync()
    expect(() => session.appendMessage(message("three"))).toThrow(expect.objectContaining({ code: "PersistError" }))
    await theirs.close()
    session.flushSync()
    expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
    expect(session.getEntries().map(({ id }) => id)).toEqual([first, second, session.getLeafId()])
    await session.close()
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("syncs the file that it made, and its folder, at the first flush and not before", async () => {
    const synced: string[] = []
    const fs: FsPort = {
      ...nodeFs,
      openSync: (path, flags, mode) =>
        Object.assign(nodeFs.openSync(path, flags, mode), {
          syncSync: () => void synced.push(path),
          datasyncSync: () => void synced.push(path),
        }),
    }
    for (const access of ["shared", "exclusive"] as const) {
      const session = (await managerOf(undefined, fs)).createSync("/project", { ...THROUGH, access })
      const key = session.getSessionFile() ?? ""
      session.appendMessage(message("one"))
      await new Promise(setImmediate)
      expect(synced).toEqual([])
      session.flushSync()
      expect(synced).toEqual(expect.arrayContaining([expect.stringContaining(key), dirname(key)]))
      synced.length = 0
      await session.close()
    }
  })

  it("makes its folder again where that was removed since the lease was taken, and is written over no other file", async () => {
    const storage = await storeIn(undefined)
    const key = storage.keyFor({ cwd: "/project", id: "one", timestamp: new Date(0).toISOString() })
    const bytes = (text: string) => [new TextEncoder().encode(text)]
    const { rmSync } = await import("node:fs")
    const lease = storage.leaseSync(key, AT_ONCE)
    rmSync(dirname(key), { recursive: true })
    expect(lease.createSync(bytes("one\n")).size).toBe(4)
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
    expect(() => lease.createSync(bytes("two\n"))).toThrow(expect.objectContaining({ code: "SessionExistsError" }))
    expect(await readFile(key, "utf8")).toBe("one\n")
    lease.releaseSync()
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("reports with the first append of the next turn that its file was removed, and stores all of it again", async () => {
    const sessions = await managerOf()
    const session = sessions.createSync("/project", THROUGH)
    const key = session.getSessionFile() ?? ""
    const { rmSync } = await import("node:fs")
    session.appendMessage(message("one"))
    session.appendMessage(message("two"))
    rmSync(key)
    session.appendMessage(message("into the file that was removed"))
    await new Promise(setImmediate)
    expect(() => session.appendMessage(message("four"))).toThrow(expect.objectContaining({ code: "PersistError" }))
    await session.retry({ recreate: true })
    expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
    expect(session.getEntries()).toHaveLength(4)
    await session.close()
  })

  it("is written in turn by two processes' sessions, and sees a file that was cut", async () => {
    const agentDir = await tempDir()
    const [one, two] = [await managerOf(agentDir), await managerOf(agentDir)]
    const first = one.createSync("/project", THROUGH)
    first.appendMessage(message("one"))
    const key = first.getSessionFile() ?? ""
    const second = two.openSync(key, THROUGH)
    for (let turn = 0; turn < 10; turn++) {
      second.appendMessage(message("theirs"))
      first.appendMessage(message("ours"))
      if (turn % 3 === 0) await new Promise(setImmediate)
    }
    second.flushSync()
    expect(first.getEntries()).toHaveLength(21)
    expect((await one.verify(key)).diagnostics).toEqual([])
    await new Promise(setImmediate)
    await truncate(key, 200)
    expect(() => first.appendMessage(message("more"))).toThrow(expect.objectContaining({ code: "PersistError" }))
  })
})

describe("flushSync of files", () => {
  it("stores each entry once and in order while asynchronous writes are under way", async () => {
    for (const access of ["exclusive", "shared"] as const) {
      const sessions = await managerOf()
      const session = await sessions.create("/project", { access })
      const key = session.getSessionFile() ?? ""
      const flushes: Promise<void>[] = []
      for (let number = 0; number < 300; number++) {
        session.appendMessage(message(`number ${number} ${"x".repeat((number * 997) % 30_000)}`))
        if (number % 7 === 0) flushes.push(session.flush())
        for (let turn = 0; turn < (number * 5) % 23; turn++) await Promise.resolve()
        if (number % 11 === 0) await new Promise(setImmediate)
        if (number % 3 !== 0) continue
        try {
          session.flushSync()
          expect(session.pending).toBe(0)
        } catch (error) {
          // Where it is just being taken, or released, by the asynchronous write.
          if (!isTreelogError(error, "PersistError") || !isTreelogError(error.cause, "SessionBusyError")) throw error
        }
      }
      await Promise.all(flushes)
      await session.close()
      const ids = session.getEntries().map(({ id }) => id)
      expect(ids).toHaveLength(300)
      expect(await idsIn(key)).toEqual(ids)
      expect(session.getBranch().map(({ id }) => id)).toEqual(ids)
      expect(await namesIn(dirname(key))).toEqual([basename(key)])
    }
  })
})

describe("flushSync of a session that is being created", () => {
  it.each(["open", "write", "sync", "link"] as const)(
    "stores each entry once while its %s is under way",
    async (step) => {
      const { fs, isHeld, release } = holdCreate(step)
      const session = await (await managerOf(undefined, fs)).create("/project")
      const key = session.getSessionFile() ?? ""
      const ids = [session.appendMessage(message("one"))]
      await expect.poll(() => isHeld()).toBe(true)
      ids.push(session.appendMessage(message("two")))
      session.flushSync()
      expect(await idsIn(key)).toEqual(ids)
      release()
      ids.push(session.appendMessage(message("three")))
      await session.close()
      expect(await idsIn(key)).toEqual(ids)
      expect(await namesIn(dirname(key))).toEqual([basename(key)])
    },
  )
})

describe("a process that ends", () => {
  it.each<[WriterTask, number]>([
    ["exit", 3],
    ["throw", 1],
  ])("by %s loses nothing of sessions that are flushed on exit", async (task, code) => {
    for (let run = 0; run < 5; run++) {
      const { path, ids, exitCode, agentDir } = await outputOf(task)
      expect(exitCode).toBe(code)
      expect(ids).toHaveLength(20)
      expect(await idsIn(path)).toEqual(ids)
      expect((await managerOf(agentDir)).openSync(path).getLeafId()).toBe(ids.at(-1))
    }
  })

  it.each<WriterTask>(["flush", "listen"])(
    "leaves no lock of a shared session that is written at its exit (%s)",
    async (task) => {
      const { path, ids, exitCode } = await outputOf(task)
      expect(exitCode).toBe(3)
      expect(ids.length).toBeGreaterThan(0)
      expect(await idsIn(path)).toEqual(ids)
      expect(await namesIn(dirname(path))).toEqual([basename(path)])
    },
  )

  it("by SIGKILL loses nothing that a session which writes through acknowledged, and another goes on", async () => {
    for (let run = 0; run < 5; run++) {
      const { path, ids, agentDir } = await outputOf("append", 100 + run * 40)
      const found = await idsIn(path)
      expect(ids.length).toBeGreaterThan(0)
      expect(found.slice(0, ids.length)).toEqual(ids)
      expect(found.length - ids.length).toBeLessThanOrEqual(1)
      const sessions = await managerOf(agentDir)
      const session = sessions.openSync(path, THROUGH)
      const id = session.appendMessage(message("more"))
      expect(session.getBranch(id)).toHaveLength(found.length + 1)
      await session.close()
      expect((await sessions.verify(path)).diagnostics.filter(({ kind }) => kind !== "invalid-json")).toEqual([])
    }
  })
})

/** A file system in which one step of making a session's file waits until it is released. */
function holdCreate(step: "open" | "write" | "sync" | "link") {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  const before = async (at: typeof step, path: string) => {
    if (at !== step || !/\.jsonl\..*tmp$/.test(path)) return
    isHeld = true
    await released
  }
  const fs: FsPort = {
    ...nodeFs,
    open: async (path, flags, mode) => {
      await before("open", path)
      const file = await nodeFs.open(path, flags, mode)
      const { write, sync } = file
      return Object.assign(file, {
        write: (...args: Parameters<typeof write>) => before("write", path).then(() => write.apply(file, args)),
        sync: () => before("sync", path).then(() => sync.apply(file)),
      })
    },
    link: (from, to) => before("link", from).then(() => nodeFs.link(from, to)),
  }
  return { fs, isHeld: () => isHeld, release }
}

/** Runs the task to its end, or kills it after some output. */
async function outputOf(task: WriterTask, killAfterLines?: number) {
  const agentDir = await tempDir()
  const child = spawn(process.execPath, [writers.path, task, agentDir], { stdio: ["ignore", "pipe", "ignore"] })
  let output = ""
  child.stdout.on("data", (chunk) => {
    output += chunk
    if (killAfterLines !== undefined && output.split("\n").length > killAfterLines) child.kill("SIGKILL")
  })
  const exitCode = await new Promise((resolve) => child.once("close", resolve))
  const [path = "", ...ids] = output.split("\n").slice(0, -1)
  return { path, ids, exitCode, agentDir }
}

/** The error of a session, or of a process that died, is expected. */
function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isTreelogError(error, "PersistError") && !(error instanceof CrashError)) throw error
  }
}
