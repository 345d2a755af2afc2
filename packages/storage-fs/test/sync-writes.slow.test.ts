import { spawn } from "node:child_process"
import { appendFileSync, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { appendFile, readFile, truncate } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { isTreelogError, MemoryBlobStore, SessionManager } from "@treelog/session-core"
import { slimSession, verifySession } from "@treelog/session-core/maintenance"
import { createSync, openSync } from "@treelog/session-core/sync"
import { type FsPort, nodeFs } from "@treelog/storage-fs"
import { CrashError, type FaultKind, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { otherProcesses } from "@treelog-internal/test-kit/processes"
import { describe, expect, it } from "vitest"
import { holdSyncs } from "./held-syncs.js"
import { AT_ONCE, killOwners, namesIn, storeIn, tempDir } from "./store.js"

// A test of faults is hundreds of runs.

const writers = otherProcesses(join(import.meta.dirname, "child", "sync-writer.ts"))

type WriterTask = "exit" | "throw" | "flush" | "listen" | "append"

const THROUGH = { access: "shared", persist: "append" } as const
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
      const session = createSync(sessions, "/project", THROUGH)
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
      expect((await verifySession(sessions, key)).diagnostics).toEqual([])
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
      const session = createSync(await managerOf(agentDir, faulty.fs), "/project", { persist: "append" })
      const key = session.getSessionFile() ?? ""
      const acknowledged: string[] = []
      faulty.arm()
      for (let number = 0; number < 4; number++) attempt(() => acknowledged.push(session.appendMessage(message("a"))))

      const sessions = await managerOf(agentDir)
      if (acknowledged.length === 0) return
      await killOwners(dirname(key))
      const next = openSync(sessions, key, THROUGH)
      const found = next.getEntries().map(({ id }) => id)
      expect(found.slice(0, acknowledged.length)).toEqual(acknowledged)
      const added = next.appendMessage(message("more"))
      expect(await openSync(sessions, key, THROUGH).getBranch(added)).toHaveLength(found.length + 1)
      await next.close()
      const { diagnostics } = await verifySession(sessions, key)
      expect(diagnostics.filter(({ kind }) => kind !== "invalid-json" && kind !== "torn-line")).toEqual([])
    })
    expect(count).toBeGreaterThan(20)
  })

  it("is on the disk when flushSync returns, also while another sync is under way", async () => {
    let syncs = 0
    const { fs, held } = holdSyncs(() => ({ datasyncSync: () => void syncs++ }))
    const session = createSync(await managerOf(undefined, fs), "/project", { persist: "create" })
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
    const first = createSync(sessions, "/project", THROUGH)
    first.appendMessage(message("one"))
    const key = first.getSessionFile() ?? ""
    await appendFile(key, '{"type":"message","id":"torn')
    const second = openSync(sessions, key, THROUGH)
    const id = second.appendMessage(message("two"))
    expect((await readFile(key, "utf8")).split("\n")[2]).toBe('{"type":"message","id":"torn')
    expect(openSync(sessions, key, THROUGH).getLeafId()).toBe(id)
  })

  it("reads what a program without a lease appends between two appends, also within one turn", async () => {
    const sessions = await managerOf()
    const session = createSync(sessions, "/project", THROUGH)
    const first = session.appendMessage(message("one"))
    const key = session.getSessionFile() ?? ""
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
    const fs: FsPort = {
      ...nodeFs,
      openSync: (path, flags, mode) => {
        const file = nodeFs.openSync(path, flags, mode)
        const { writeSync } = file
        return Object.assign(file, {
          writeSync: (...args: Parameters<typeof writeSync>) => {
            // Under its temporary name, where it was made by this session.
            const isOurs = key !== "" && path.startsWith(key)
            if (isOurs) appendFileSync(key, rest)
            if (isOurs) rest = ""
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
      const session = createSync(sessions, "/project", THROUGH)
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
      expect((await verifySession(sessions, key)).diagnostics).toEqual([])
    }
  })

  it("goes on by itself in the copy of its file that took its place, and stores there what the copy lacks", async () => {
    for (const isInOneTurn of [true, false]) {
      const sessions = await managerOf()
      const session = createSync(sessions, "/project", THROUGH)
      session.appendMessage(message("one"))
      const key = session.getSessionFile() ?? ""
      copyFileSync(key, `${key}.new`)
      session.appendMessage(message("not in the copy"))
      if (!isInOneTurn) await new Promise(setImmediate)
      renameSync(`${key}.new`, key)
      session.appendMessage(message("three"))
      expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
      copyFileSync(key, `${key}.new`)
      session.appendMessage(message("four"))
      renameSync(`${key}.new`, key)
      session.flushSync()
      expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
      expect(session.getEntries()).toHaveLength(4)
      await session.close()
      expect((await verifySession(sessions, key)).diagnostics).toEqual([])
    }
  })

  it("goes on by itself where treelog blobs slim rewrote its file", async () => {
    const agentDir = await tempDir()
    const blobs = new MemoryBlobStore()
    const sessions = new SessionManager({ storage: await storeIn(agentDir), blobs })
    const session = createSync(sessions, "/project", THROUGH)
    session.appendMessage(message("x".repeat(600_000)))
    const key = session.getSessionFile() ?? ""
    session.appendMessage(message("two"))
    expect((await slimSession(sessions, key)).changed).toBeGreaterThan(0)
    session.appendMessage(message("three"))
    await session.flush()
    expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
    expect((await readFile(key)).length).toBeLessThan(600_000)
    await session.close()
  })

  it("fails where another session took its place, or nothing is there, and leaves no lock", async () => {
    const sessions = await managerOf()
    for (const isReplaced of [false, true]) {
      const session = createSync(sessions, "/project", THROUGH)
      session.appendMessage(message("one"))
      const key = session.getSessionFile() ?? ""
      const text = (await readFile(key, "utf8")).replace(session.getSessionId(), "another")
      rmSync(key)
      if (isReplaced) writeFileSync(key, text)
      for (const other of ["two", "three"])
        expect(() => session.appendMessage(message(other))).toThrow(expect.objectContaining({ code: "PersistError" }))
      expect(await namesIn(dirname(key))).toEqual(isReplaced ? [basename(key)] : [])
      await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
      await expect(session.close()).rejects.toMatchObject({ code: "PersistError" })
      if (isReplaced) rmSync(key)
      await session.retry({ recreate: true })
      expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
      await session.close()
      rmSync(key)
    }
  })

  it("fails in a flush after its file was removed behind the last append", async () => {
    for (const isMadeAgain of [false, true]) {
      const session = createSync(await managerOf(), "/project", THROUGH)
      const key = session.getSessionFile() ?? ""
      session.appendMessage(message("one"))
      session.appendMessage(message("two"))
      rmSync(key)
      if (isMadeAgain) writeFileSync(key, "")
      await expect(session.flush()).rejects.toMatchObject({ code: "PersistError" })
      expect(() => session.flushSync()).toThrow(expect.objectContaining({ code: "PersistError" }))
      await expect(session.close()).rejects.toMatchObject({ code: "PersistError" })
      await session.discard()
    }
  })

  it("makes no folder again that was removed, and goes on where it comes back", async () => {
    const session = createSync(await managerOf(), "/project", THROUGH)
    const key = session.getSessionFile() ?? ""
    session.appendMessage(message("one"))
    const away = `${dirname(key)}-away`
    renameSync(dirname(key), away)
    for (const isIdle of [false, true]) {
      if (isIdle) await expect.poll(() => namesIn(away)).toEqual([basename(key)])
      expect(() => session.appendMessage(message("two"))).toThrow(expect.objectContaining({ code: "PersistError" }))
      expect(existsSync(dirname(key))).toBe(false)
      if (!isIdle) rmSync(join(away, `${basename(key)}.lock`), { force: true })
    }
    renameSync(away, dirname(key))
    session.appendMessage(message("three"))
    expect(await idsIn(key)).toEqual(session.getEntries().map(({ id }) => id))
    await session.close()
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("keeps its lock from one turn to the next, and removes it when it is idle", async () => {
    const session = createSync(await managerOf(), "/project", THROUGH)
    const key = session.getSessionFile() ?? ""
    const isKept = async () => {
      session.appendMessage(message("one"))
      const lock = await readFile(`${key}.lock`, "utf8")
      for (let turn = 0; turn < 20; turn++) {
        await new Promise(setImmediate)
        session.appendMessage(message("more"))
      }
      return (await readFile(`${key}.lock`, "utf8")) === lock
    }
    // Between two turns of a busy machine it may be idle.
    await expect.poll(isKept).toBe(true)
    await expect.poll(() => namesIn(dirname(key))).toEqual([basename(key)])
    await session.close()
  })

  it("is opened without a lock while another program holds it, and reads what that one wrote before it writes", async () => {
    const agentDir = await tempDir()
    const theirs = createSync(await managerOf(agentDir), "/project")
    const first = theirs.appendMessage(message("one"))
    theirs.flushSync()
    const key = theirs.getSessionFile() ?? ""
    const session = openSync(await managerOf(agentDir), key, { ...THROUGH, busyTimeoutMs: 0 })
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
      const session = createSync(await managerOf(undefined, fs), "/project", { ...THROUGH, access })
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
    const lease = storage.leaseSync(key, AT_ONCE)
    rmSync(dirname(key), { recursive: true })
    expect(lease.createSync(bytes("one\n")).size).toBe(4)
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
    expect(() => lease.createSync(bytes("two\n"))).toThrow(expect.objectContaining({ code: "SessionExistsError" }))
    expect(await readFile(key, "utf8")).toBe("one\n")
    lease.releaseSync()
    expect(await namesIn(dirname(key))).toEqual([basename(key)])
  })

  it("is written in turn by two processes' sessions, and sees a file that was cut", async () => {
    const agentDir = await tempDir()
    const [one, two] = [await managerOf(agentDir), await managerOf(agentDir)]
    const first = createSync(one, "/project", THROUGH)
    first.appendMessage(message("one"))
    const key = first.getSessionFile() ?? ""
    const second = openSync(two, key, THROUGH)
    for (let turn = 0; turn < 10; turn++) {
      second.appendMessage(message("theirs"))
      first.appendMessage(message("ours"))
      if (turn % 3 === 0) await new Promise(setImmediate)
    }
    second.flushSync()
    expect(first.getEntries()).toHaveLength(21)
    expect((await verifySession(one, key)).diagnostics).toEqual([])
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

it("flushSync of a session that is being created stores each entry once while its sync is under way", async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let isHeld = false
  const fs: FsPort = {
    ...nodeFs,
    openSync: (path, flags, mode) => {
      const file = nodeFs.openSync(path, flags, mode)
      const { sync } = file
      const held = async () => {
        isHeld = true
        await released
        await sync()
      }
      return /\.jsonl\..*tmp$/.test(path) ? Object.assign(file, { sync: held }) : file
    },
  }
  const session = await (await managerOf(undefined, fs)).create("/project")
  const key = session.getSessionFile() ?? ""
  const ids = [session.appendMessage(message("one"))]
  await expect.poll(() => isHeld).toBe(true)
  ids.push(session.appendMessage(message("two")))
  session.flushSync()
  expect(await idsIn(key)).toEqual(ids)
  release()
  ids.push(session.appendMessage(message("three")))
  await session.close()
  expect(await idsIn(key)).toEqual(ids)
  expect(await namesIn(dirname(key))).toEqual([basename(key)])
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
      expect(openSync(await managerOf(agentDir), path).getLeafId()).toBe(ids.at(-1))
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
      const session = openSync(sessions, path, THROUGH)
      const id = session.appendMessage(message("more"))
      expect(session.getBranch(id)).toHaveLength(found.length + 1)
      await session.close()
      expect((await verifySession(sessions, path)).diagnostics.filter(({ kind }) => kind !== "invalid-json")).toEqual(
        [],
      )
    }
  })
})

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
