import { spawnSync } from "node:child_process"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isTreelogError, type Session, type SessionManager } from "@treelog/session-core"
import { moveSession } from "@treelog/session-core/maintenance"
import { createSync } from "@treelog/session-core/sync"
import type { FaultTest } from "../fault-test.js"
import { managerIn, say, soundness } from "../store.js"

const DISK = 512 * 1024
const BLOCK = 4096

/** A real disk of half a megabyte, which fills up during an append, a first write and a rewrite. */
export const fullDisk: FaultTest = {
  name: "full-disk",
  promise:
    "A disk that fills up gives a typed error; when there is space again, retry() writes each entry exactly once.",
  counts: { short: 1, long: 30 },
  async run({ count, folder, progress, findings }) {
    const disk = join(folder, "disk")
    await mkdir(disk)
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk], { encoding: "utf8" })
    if (mounted.status !== 0)
      return `a small disk cannot be mounted here: ${mounted.stderr?.trim() || String(mounted.error)}`
    try {
      const manager = managerIn(join(disk, "store"))
      for (let tried = 0; tried < count; tried++) {
        await duringAppend(manager, tried)
        await duringFirstWrite(manager, tried)
        await writingThrough(manager, tried)
        await duringRewrite(manager, tried)
        progress(tried + 1)
      }
    } finally {
      spawnSync("umount", [disk])
    }
    return count * 4

    async function duringAppend(manager: SessionManager, tried: number): Promise<void> {
      const session = await manager.create("/torture")
      say(session, "first")
      await session.flush()
      await fill()
      await expectFull(session, `append ${tried}`, "x".repeat(8 * BLOCK + tried))
    }

    async function duringFirstWrite(manager: SessionManager, tried: number): Promise<void> {
      const session = await manager.create("/torture")
      await fill()
      await expectFull(session, `first write ${tried}`, "y".repeat(8 * BLOCK + tried))
    }

    /** Each append tries again to write what an earlier one could not; none is torn, lost or there twice. */
    async function writingThrough(manager: SessionManager, tried: number): Promise<void> {
      const what = `written through ${tried}`
      const session = createSync(manager, "/torture", { access: "shared", persist: "append" })
      if (tried % 2 === 0) say(session, "first")
      await fill()
      const texts = ["x".repeat(8 * BLOCK + tried), "small", "y".repeat(4 * BLOCK), "smaller"]
      const refusals = texts.map((text) => thrownBy(() => say(session, text)))
      findings.expect(isFull(refusals[0]), () => `${what}: ${String(refusals[0])} instead of a PersistError by ENOSPC`)
      findings.expect(session.pending === texts.length, () => `${what}: ${session.pending} entries are pending`)
      await rm(join(disk, "filler"))
      say(session, "last")
      findings.expect(
        session.pending === 0,
        () => `${what}: ${session.pending} entries are pending after the last append`,
      )
      await expectSound(
        session,
        what,
        session.getEntries().map(({ id }) => id),
      )
    }

    async function expectFull(session: Session, what: string, text: string): Promise<void> {
      const ids = [say(session, text), say(session, "after")]
      const refusal: unknown = await session.flush().catch((error: unknown) => error)
      findings.expect(isFull(refusal), () => `${what}: ${String(refusal)} instead of a PersistError by ENOSPC`)
      findings.expect(session.pending === 2, () => `${what}: ${session.pending} entries are pending instead of 2`)
      await rm(join(disk, "filler"))
      await session.retry()
      await expectSound(session, what, ids)
    }

    async function expectSound(session: Session, what: string, ids: readonly string[]): Promise<void> {
      await session.close()
      const [manager, key] = [managerIn(join(disk, "store")), session.getSessionFile() ?? ""]
      findings.expectStored(what, await soundness(manager, key), ids)
      await manager.delete(key)
      findings.count("full disks survived")
    }

    async function duringRewrite(manager: SessionManager, tried: number): Promise<void> {
      const session = await manager.create("/torture")
      say(session, "z".repeat(8 * BLOCK + tried))
      await session.close()
      const key = session.getSessionFile() ?? ""
      const before = await readFile(key)
      await fill()
      const refusal: unknown = await moveSession(manager, key, "/torture").catch((error: unknown) => error)
      findings.expect(isTreelogError(refusal), () => `rewrite ${tried}: ${String(refusal)} instead of a typed error`)
      findings.expect(before.equals(await readFile(key)), () => `rewrite ${tried}: the file changed`)
      await rm(join(disk, "filler"))
      await moveSession(manager, key, "/torture")
      findings.expectStored(`rewrite ${tried}`, await soundness(manager, key), [])
      await manager.delete(key)
      findings.count("full disks survived")
    }

    /** Takes all the space but for a little, so that small files (a lock) can still be made. */
    async function fill(): Promise<void> {
      const block = Buffer.alloc(BLOCK)
      const blocks: Buffer[] = []
      for (;;) {
        try {
          await writeFile(join(disk, "filler"), block, { flag: "a" })
          blocks.push(block)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
          break
        }
      }
      await writeFile(join(disk, "filler"), Buffer.concat(blocks.slice(0, -2)))
    }
  },
}

function isFull(refusal: unknown): boolean {
  const cause = isTreelogError(refusal, "PersistError") ? refusal.cause : undefined
  return isTreelogError(cause, "StorageError") && cause.data.errno === "ENOSPC"
}

function thrownBy(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
