import { join, resolve } from "node:path"
import type { Clock } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import { type FsPort, nodeFs, withStorageErrors } from "@treelog-internal/fs"
import { scanFolder } from "./scan-folder.js"
import { removeIfThere } from "./trash.js"

const HOUR_MS = 60 * 60 * 1000

/** Which orphaned temporary files are meant. */
export interface RemoveOrphansOptions {
  /** One that was written to within this time stays: its blob may still be on its way. Milliseconds, an hour by default. */
  readonly graceMs?: number
  readonly fs?: FsPort
  readonly clock?: Clock
}

/**
 * Removes blobs that were never finished, because the process that put them was killed. A sweep does it too. A process that still
 * writes one after such a time gets an error, and puts it again. Resolves to their paths.
 * @throws StorageError
 */
export async function removeOrphans(
  folder: string,
  { graceMs = HOUR_MS, fs = nodeFs, clock = systemClock }: RemoveOrphansOptions = {},
): Promise<string[]> {
  const blobs = resolve(folder)
  return withStorageErrors(blobs, "remove orphaned temporary files in", async () => {
    const removed: string[] = []
    for (const { name, modified } of (await scanFolder(fs, blobs)).temporary) {
      if (Math.abs(clock.now() - modified) <= graceMs) continue
      await removeIfThere(fs, join(blobs, name))
      removed.push(join(blobs, name))
    }
    return removed.sort()
  })
}
