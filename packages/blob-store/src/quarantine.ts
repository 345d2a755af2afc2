import { join } from "node:path"
import { type Clock, TreelogError } from "@treelog/session-core"
import { errnoOf, type FsPort, isGone, statIfThere } from "@treelog-internal/fs"
import { timeInName } from "./blob-names.js"
import { identityOf } from "./stored-stat.js"

/** A file whose bytes do not have the hash that is its name. */
export interface DamagedFile {
  readonly hash: string
  /** The hash of what was read. */
  readonly actual: string
  readonly identity: string
}

/**
 * Renames a damaged file to `<hash>.damaged-<time>`, so that the blob can be put again, and returns the error that reports
 * it. Where it cannot be renamed it stays, and the error's `cause` says why.
 */
export async function quarantine(
  { fs, folder, clock }: { fs: FsPort; folder: string; clock: Clock },
  file: DamagedFile,
): Promise<TreelogError<"BlobDamagedError">> {
  const { hash, actual } = file
  try {
    return damagedBlob(hash, actual, await renamed(fs, folder, file, timeInName(clock.now())))
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return damagedBlob(hash, actual, undefined, error)
  }
}

async function renamed(
  fs: FsPort,
  folder: string,
  { hash, identity }: DamagedFile,
  time: string,
): Promise<string | undefined> {
  const path = join(folder, hash)
  const aside = await freeName(fs, `${path}.damaged-${time}`)
  const now = await statIfThere(fs, path)
  if (now === undefined || identityOf(now) !== identity) return undefined
  await fs.rename(path, aside)
  const taken = await statIfThere(fs, aside)
  if (taken === undefined || identityOf(taken) === identity) return aside
  // Another process put the blob anew just before the rename: it goes back, or is there once more already.
  await restoreBlob(fs, aside, path)
  return undefined
}

async function freeName(fs: FsPort, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}.${number}`
    if ((await statIfThere(fs, candidate)) === undefined) return candidate
  }
}

async function restoreBlob(fs: FsPort, aside: string, path: string): Promise<void> {
  try {
    await fs.rename(aside, path)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** The error of a damaged blob, which was left where it is, or quarantined. */
export function damagedBlob(
  hash: string,
  actual: string,
  aside?: string,
  cause?: unknown,
): TreelogError<"BlobDamagedError"> {
  const where = aside === undefined ? "They were left." : `They were quarantined as ${aside}.`
  const message = `The bytes of blob ${hash} are not those that were stored. ${where}`
  return new TreelogError("BlobDamagedError", message, { hash, actual, quarantine: aside }, { cause })
}
