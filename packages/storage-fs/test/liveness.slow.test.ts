import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { readFile, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { tries } from "@treelog-internal/test-kit"
import { Random } from "@treelog-internal/test-kit/generator"
import { nextMessage, otherProcesses } from "@treelog-internal/test-kit/processes"
import { afterEach, describe, expect, it } from "vitest"
import { AT_ONCE, namesIn, newKey, stored, storeIn, tempDir } from "./store.js"

// Processes in namespaces of pids of their own, as sandboxes and containers have them: none sees another.

const UNSHARE = ["--pid", "--fork", "--kill-child", "--mount-proc"]
const canUnshare = spawnSync("unshare", [...UNSHARE, "true"]).status === 0

const users = otherProcesses(join(import.meta.dirname, "child", "session-user.ts"))
const boxes: ChildProcess[] = []
afterEach(async () => {
  for (const box of boxes.splice(0)) await end(box)
})

function start(task: string, ...args: (string | number)[]): ChildProcess {
  return startIn(UNSHARE, task, ...args)
}

/** @param how arguments of `unshare` */
function startIn(how: readonly string[], task: string, ...args: (string | number)[]): ChildProcess {
  const command = [...how, process.execPath, users.path, task, ...args.map(String)]
  const box = spawn("unshare", command, { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  boxes.push(box)
  return box
}

/** The process in the box, as it is seen from here. */
function pidIn({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim())
}

async function end(box: ChildProcess): Promise<void> {
  if (box.exitCode !== null || box.signalCode !== null) return
  const [inner, ended] = [pidIn(box), once(box, "exit")]
  if (inner > 0) process.kill(inner, "SIGKILL")
  box.kill("SIGKILL")
  await ended
  await expect.poll(() => isThere(inner)).toBe(false)
}

function isThere(pid: number): boolean {
  if (pid === 0) return false
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z")
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return false
    throw error
  }
}

/** What a process in a box of its own gets that wants the session. */
async function outcome(agentDir: string, key: string): Promise<string> {
  const box = start("contend", agentDir, key)
  await nextMessage(box)
  box.send("go")
  const said = await nextMessage(box)
  await end(box)
  return said
}

async function heldInABox(agentDir: string) {
  const { key, lease } = await stored(await storeIn(agentDir), "one\n")
  await lease.release()
  const holder = start("hold", agentDir, key)
  expect(await nextMessage(holder)).toBe("held")
  return { key, holder }
}

const socketsIn = async (folder: string) => (await namesIn(folder)).filter((name) => name.endsWith(".live"))

describe.skipIf(!canUnshare)("a lock of a process in another namespace of pids (needs `unshare --pid`)", () => {
  it("is held while that process lives, also stopped, and is free once it was killed", async () => {
    const agentDir = await tempDir()
    const { key, holder } = await heldInABox(agentDir)
    expect(await outcome(agentDir, key)).toBe("busy")
    process.kill(pidIn(holder), "SIGSTOP")
    for (let time = 0; time < 3; time++) expect(await outcome(agentDir, key)).toBe("busy")
    await end(holder)
    expect(await outcome(agentDir, key)).toBe("won")
  })

  it("is held where nothing proves that the process has ended", async () => {
    const agentDir = await tempDir()
    const { key, holder } = await heldInABox(agentDir)
    await end(holder)
    const lock = JSON.parse(await readFile(`${key}.lock`, "utf8")) as { liveness: { path: string; file: string } }
    const { liveness } = lock
    // The number of a namespace that is gone is given to the next one, which knows by that.
    Object.assign(lock, { space: "pid:[1]" })
    for (const other of [
      undefined,
      "another form",
      { ...liveness, file: "1:1" },
      { ...liveness, path: liveness.path.replace(/.{8}\.live$/, "00000000.live") },
      { ...liveness, path: "../../../etc/passwd" },
    ]) {
      await writeFile(`${key}.lock`, JSON.stringify({ ...lock, liveness: other }))
      expect([other, await outcome(agentDir, key)]).toEqual([other, "busy"])
    }
    await writeFile(`${key}.lock`, JSON.stringify({ ...lock, boot: "another boot", host: "elsewhere" }))
    expect(await outcome(agentDir, key)).toBe("busy")
    await writeFile(`${key}.lock`, JSON.stringify({ ...lock, host: "the name of a container" }))
    expect(await outcome(agentDir, key)).toBe("won")
  })

  it.each([
    ["counts times otherwise", ["--time", "--boottime", "86400", "--fork", "--kill-child"]],
    ["has no /proc", ["--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]],
  ])("is held while that process lives, where this one %s, and the other way round", async (_, how) => {
    if (spawnSync("unshare", [...how, "true"]).status !== 0) return
    const agentDir = await tempDir()
    const storage = await storeIn(agentDir)
    const { key, lease } = await stored(storage, "one\n")
    const contender = startIn(how, "contend", agentDir, key)
    await nextMessage(contender)
    contender.send("go")
    expect(await nextMessage(contender)).toBe("busy")
    await expect.poll(() => contender.exitCode).toBe(0)
    await lease.release()
    expect(await nextMessage(startIn(how, "hold", agentDir, key))).toBe("held")
    await expect(storage.lease(key, AT_ONCE)).rejects.toMatchObject({ code: "SessionBusyError" })
  })

  it("is free once the process was killed, where the path of the folder is longer than that of a socket may be", async () => {
    const agentDir = join(await tempDir(), "x".repeat(150), "y".repeat(150))
    const { key, holder } = await heldInABox(agentDir)
    expect(await outcome(agentDir, key)).toBe("busy")
    await end(holder)
    expect(await outcome(agentDir, key)).toBe("won")
  })

  it("has one holder at a time, who loses nothing, whoever is killed at whatever moment", async () => {
    const agentDir = await tempDir()
    const { key, lease } = await stored(await storeIn(agentDir), "")
    await lease.release()
    const random = new Random(49)
    const names = ["a", "b", "c"]
    const steady = names.map((name) => start("note-turns", agentDir, key, 20, name))
    const done = Promise.all(steady.map((box) => nextMessage(box).then(() => nextMessage(box))))
    const killed: string[] = []
    for (let round = 0; round < tries(6); round++) {
      const name = `killed-${round}`
      killed.push(name)
      const doomed = start("note-turns", agentDir, key, 10_000, name)
      await nextMessage(doomed)
      await delay(random.next() * 60)
      await end(doomed)
    }
    expect(await done).toEqual(names.map(() => "done"))
    let holder: string | undefined
    for (const line of (await readFile(join(agentDir, "witness"), "utf8")).trimEnd().split("\n")) {
      const [what, name = ""] = line.split(" ")
      if (what === "end") expect(name).toBe(holder)
      else expect(holder === undefined || killed.includes(holder), `${name} beside ${holder}`).toBe(true)
      holder = what === "end" ? undefined : name
    }
    const lines = (await readFile(key, "utf8")).split("\n")
    for (const name of names) expect(lines.filter((line) => line.startsWith(`${name} `))).toHaveLength(20)
  })
})

describe.skipIf(!canUnshare)("the socket of a process in a namespace of its own (needs `unshare --pid`)", () => {
  it("is in the folder of the store, for its owner alone, as long as there is a lock of it", async () => {
    const agentDir = await tempDir()
    const { key } = await heldInABox(agentDir)
    const folder = join(agentDir, "sessions")
    const [name = ""] = await socketsIn(folder)
    const found = await stat(join(folder, name))
    expect([found.isSocket(), found.mode & 0o777]).toEqual([true, 0o600])
    const { key: another, lease } = await stored(await storeIn(agentDir), "")
    await lease.release()
    expect(await outcome(agentDir, key)).toBe("busy")
    const box = start("note-turns", agentDir, another)
    await once(box, "exit")
    expect(await socketsIn(folder)).toEqual([name])
  })

  it.each(["removeOrphans", "the next release"])(
    "of a killed process is removed after all its locks, by %s",
    async (by) => {
      const agentDir = await tempDir()
      const storage = await storeIn(agentDir)
      const keys = [newKey(storage, "/one"), newKey(storage, "/two")]
      const holders = keys.map((key) => start("hold", agentDir, key))
      for (const holder of holders) expect(await nextMessage(holder)).toBe("held")
      const folder = join(agentDir, "sessions")
      const sockets = await socketsIn(folder)
      expect(sockets).toHaveLength(2)
      const remove = async () => {
        if (by === "removeOrphans") for await (const { error } of storage.removeOrphans()) expect(error).toBeUndefined()
        else await (await (await storeIn(agentDir)).lease(newKey(storage, "/three"), AT_ONCE)).release()
      }
      await remove()
      expect(await socketsIn(folder)).toEqual(sockets)
      for (const key of keys) expect(await namesIn(dirname(key))).toEqual([`${basename(key)}.lock`])
      for (const holder of holders) await end(holder)
      await remove()
      expect(await socketsIn(folder)).toEqual([])
      for (const key of keys) expect(await namesIn(dirname(key))).toEqual([])
    },
  )
})
