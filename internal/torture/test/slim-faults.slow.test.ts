import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { nodeFs as blobFs } from "@treelog/blob-store"
import { isTreelogError } from "@treelog/session-core"
import { inflateSession, slimSession, verifySession } from "@treelog/session-core/maintenance"
import { nodeFs } from "@treelog/storage-fs"
import { CrashError, type FaultKind, type FaultRun, forEachFault } from "@treelog-internal/test-kit/fault-fs"
import { expect, it } from "vitest"
import { picturesIn, writePictures } from "../src/picture-session.js"

const FAULTS: FaultKind[] = ["EIO", "short-ENOSPC", "torn-crash"]

it.each(["sessions", "blobs"] as const)(
  "a slim during which one call to the disk of the %s fails names no blob that is not whole, and can be done again",
  async (disk) => {
    const broken = async (run: FaultRun) => {
      const folder = mkdtempSync(join(tmpdir(), "treelog-slim-faults-"))
      try {
        await slimOnBrokenDisk(folder, disk, run)
      } finally {
        rmSync(folder, { recursive: true })
      }
    }
    const failures = await forEachFault(FAULTS, broken)
    const crashes = await forEachFault(["crash"], broken, { mutating: true })
    expect(failures).toBeGreaterThan(10)
    expect(crashes).toBeGreaterThan(5)
  },
)

async function slimOnBrokenDisk(folder: string, disk: "sessions" | "blobs", { inject }: FaultRun): Promise<void> {
  const path = await writePictures(folder, "pictures", 2, 1_000)
  const before = readFileSync(path, "utf8")
  const faulty = disk === "sessions" ? inject(nodeFs) : inject(blobFs)
  const broken = picturesIn(
    folder,
    disk === "sessions" ? { fs: faulty.fs as typeof nodeFs } : { blobFs: faulty.fs as typeof blobFs },
  )
  faulty.arm()
  await slimSession(broken, path).catch((error: unknown) =>
    expect(isTreelogError(error) || error instanceof CrashError).toBe(true),
  )
  endProcess(dirname(path))
  const next = picturesIn(folder)
  expect((await verifySession(next, path)).diagnostics).toEqual([])
  await slimSession(next, path)
  expect(readFileSync(path, "utf8").match(/blob:sha256:/g)).toHaveLength(2)
  await inflateSession(next, path)
  expect(readFileSync(path, "utf8")).toBe(before)
}

const deadPid = spawnSync("true").pid

/** What is still locked (the release itself may have been the call that failed) is locked by a process that is no more. */
function endProcess(folder: string): void {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".lock"))) {
    const lock = JSON.parse(readFileSync(join(folder, name), "utf8")) as object
    writeFileSync(join(folder, name), JSON.stringify({ ...lock, pid: deadPid }))
  }
}
