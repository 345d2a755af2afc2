import { spawnSync } from "node:child_process"
import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { Random } from "@treelog-internal/test-kit/generator"
import { type Child, sleep, startChild } from "../children.js"
import type { FaultTest, TrialOptions } from "../fault-test.js"
import { listIn, managerIn, say } from "../store.js"

const SESSIONS = 12
/** Holds the lists of a few sessions, and not those of twelve with long first messages. Bytes. */
const DISK = 64 * 1024

/** Processes list a store, and are killed, while its sessions grow, go, come and are rewritten, and what is stored of the lists is damaged. */
export const lists: FaultTest = {
  name: "lists",
  promise:
    "A list says what its sessions say, whoever was killed while it stored what it knew, on a full disk, and with what is damaged.",
  counts: { short: 20, long: 2_000 },
  async run(options) {
    const { count, folder, findings, progress, program } = options
    const [store, onDisk, full] = [join(folder, "store"), join(folder, "cache"), join(folder, "disk")]
    const random = new Random(options.seed)
    for (let index = 0; index < SESSIONS; index++) await newSession(store, `${index}`, random)
    await mkdir(full)
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", full])
    const caches = mounted.status === 0 ? [onDisk, full] : [onDisk]
    const start = () => caches.map((cache) => startChild(program("list-again"), [store, cache]))
    let children: Child[] = []
    try {
      for (let tried = 0; tried < count; tried++) {
        if (children.length === 0) children = start()
        await children[0]?.nextLine()
        for (let changes = random.below(4); changes >= 0; changes--) await change(store, `${tried}.${changes}`, random)
        await sleep(random.below(8))
        if (random.chance(0.3)) {
          for (const child of children) await child.kill()
          children = []
          findings.count("kills", caches.length)
          if (random.chance(0.5)) await damage(join(onDisk, "lists"), random, findings)
        }
        for (const cache of caches) {
          // No other process writes to the sessions now.
          const [stored, read] = [await listIn(store, cache), await listIn(store, null)]
          const same = isDeepStrictEqual(stored, read)
          findings.expect(same, () => `${tried}: a list says ${differing(stored, read)}`)
          findings.count("lists compared")
        }
        progress(tried + 1)
      }
    } finally {
      for (const child of children) await child.kill()
      if (mounted.status === 0) spawnSync("umount", [full])
    }
    return count
  },
}

async function newSession(store: string, id: string, random: Random): Promise<void> {
  const session = await managerIn(store).create("/torture", { persist: "create", id: `s${id}` })
  say(session, `first ${"x".repeat(random.below(20_000))}`)
  await session.close()
  // Left alone for long, so that what is stored of it counts.
  const time = 1_600_000_000 + random.below(1e6)
  await utimes(session.getSessionFile() ?? "", time, time)
}

/** Each of them is one that programs or people make. */
async function change(store: string, id: string, random: Random): Promise<void> {
  const sessions = await sessionsIn(store)
  const path = sessions[random.below(sessions.length)]
  const kind = path === undefined ? 0 : random.below(6)
  if (path === undefined || kind === 0) return newSession(store, id, random)
  if (kind === 1 && sessions.length > 3) return rm(path)
  const bytes = await readFile(path)
  const timestamp = new Date(1_700_000_000_000 + random.below(1e6)).toISOString()
  const name = { type: "session_info", id: `n${id}`, parentId: null, timestamp, name: `named ${id}` }
  if (kind === 2) return appendFile(path, `${JSON.stringify(name)}\n`)
  if (kind === 3) return appendFile(path, '{"type":"message","id":"torn')
  // As long as before, and as old: only which file it is says that it is another.
  if (kind === 4) {
    const { mtimeMs } = await stat(path)
    await rm(path)
    await writeFile(path, bytes.toString("latin1").replace("first x", "worst x"), "latin1")
    return utimes(path, mtimeMs / 1000, mtimeMs / 1000)
  }
  return writeFile(path, bytes.subarray(0, bytes.indexOf(10) + 1))
}

/** Cuts a stored list, or changes a byte of it. */
async function damage(folder: string, random: Random, findings: TrialOptions["findings"]): Promise<void> {
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name))
    const at = random.below(bytes.length)
    if (random.chance(0.5)) bytes[at] = random.below(256)
    await writeFile(join(folder, name), random.chance(0.5) ? bytes.subarray(0, at) : bytes)
    findings.count("damaged lists")
  }
}

async function sessionsIn(store: string): Promise<string[]> {
  const folder = join(store, "sessions")
  const names = await readdir(folder, { recursive: true })
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .sort()
}

const differing = (stored: readonly object[], read: readonly object[]): string =>
  stored.length === read.length
    ? JSON.stringify(
        read.flatMap((info, at) => (isDeepStrictEqual(info, stored[at]) ? [] : [[stored[at], info]])),
      ).slice(0, 2000)
    : `${stored.length} sessions instead of ${read.length}`
