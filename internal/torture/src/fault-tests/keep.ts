import { spawnSync } from "node:child_process"
import { mkdir, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Random } from "@treelog-internal/test-kit/generator"
import { sleep, startChild } from "../children.js"
import type { FaultTest } from "../fault-test.js"
import { ChangingHome, type WrittenSession } from "../kept/changing-home.js"
import { examineCopies } from "../kept/examine-copies.js"

/** What is left of a disk that is full. Bytes. */
const SPARE = 32 * 1024

/** Keeps the sessions of fourteen agents, which are written meanwhile. A try is a message. */
export const keep: FaultTest = {
  name: "keep",
  promise:
    "Whatever agents do to their sessions, and wherever `keep` is killed or finds no space: each message that a run found is listed, shown, found, and given back in its bytes.",
  counts: { short: 2_000, long: 100_000 },
  async run({ count, seed, folder, program, progress, findings }) {
    const random = new Random(seed)
    const most = Math.max(2, Math.ceil(count / 560))
    const home = new ChangingHome(folder, random, most, (what) => findings.count(what))
    const disk = join(folder, ".treelog/agent/kept")
    await mkdir(disk, { recursive: true })
    const mount = (...args: string[]): boolean => spawnSync("mount", [...args, disk]).status === 0
    const isMounted = mount("-t", "tmpfs", "-o", "size=4g", "tmpfs")
    const acknowledged = new Map<string, WrittenSession>()
    // How long the last complete run took. Milliseconds.
    let took = 1_000
    try {
      while (acknowledged.size < count) {
        for (const session of home.sessions) if (random.chance(1 / 3)) await home.change(session)
        const found = home.present()
        const isFull = isMounted && random.chance(1 / 6)
        if (isFull) mount("-o", `remount,size=${(await usedBytes(disk)) + SPARE}`)
        const started = performance.now()
        const child = startChild(program("keep"), [folder])
        const isKilled = random.chance(1 / 3)
        const killed = isKilled ? sleep(random.next() * took).then(child.kill) : undefined
        const disturbed = new Set<WrittenSession>()
        for (const session of home.sessions)
          if (random.chance(1 / 30)) {
            disturbed.add(session)
            await home.change(session)
          }
        await (killed ?? child.done())
        if (isFull) mount("-o", "remount,size=4g")
        const isComplete = child.process.exitCode === 0 && child.lines.length === 0
        findings.count(isComplete ? "complete runs" : isKilled ? "runs killed" : "runs with errors")
        if (isFull) findings.count("runs on a full disk")
        // What was written meanwhile may have been busy.
        if (!isKilled && !isFull && disturbed.size === 0)
          findings.expect(isComplete, () => `a run failed: ${child.lines.join("; ")}`)
        if (!isComplete) continue
        took = performance.now() - started
        for (const [word, session] of found) if (!disturbed.has(session)) acknowledged.set(word, session)
        progress(Math.min(acknowledged.size, count))
      }
      await startChild(program("keep"), [folder]).done()
      findings.count("messages acknowledged", acknowledged.size)
      await examineCopies(folder, acknowledged, findings)
    } finally {
      if (isMounted) spawnSync("umount", [disk])
    }
    return acknowledged.size
  },
}

async function usedBytes(disk: string): Promise<number> {
  const { bsize, blocks, bfree } = await statfs(disk)
  return (blocks - bfree) * bsize
}
