import { randomBytes } from "node:crypto"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { FOLDER_MODE, type FsPort, lstatIfThere, makeFolder, withStorageErrors } from "@treelog-internal/fs"

// A bundle is unpacked and verified here, readable by the owner alone, before anything of it is stored. A killed command leaves the
// folder. The next one removes it after a day: no listing shows it, since it is beside the sessions.

const NAME = /^unbundle\.[0-9a-f]{16}\.tmp$/
/** Milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000

/** What a disk has left. */
export interface FreeSpace {
  readonly bytes: number
  /** Each file takes whole blocks. Bytes. */
  readonly block: number
  /** How many files it has names for; some disks have no such limit. */
  readonly files: number
}

/** A new folder for an unpacked bundle. @param parent an absolute path @throws StorageError */
export function makeStaging(fs: FsPort, parent: string) {
  const folder = join(parent, `unbundle.${randomBytes(8).toString("hex")}.tmp`)
  return withStorageErrors(folder, "write", async () => {
    makeFolder(fs, parent)
    await removeAbandoned(fs, parent)
    await fs.mkdir(folder, { recursive: false, mode: FOLDER_MODE })
    const { bavail, bsize, files, ffree } = await statfs(folder)
    const space: FreeSpace = { bytes: bavail * bsize, block: bsize, files: files > 0 ? ffree : Infinity }
    /** @throws StorageError */
    const remove = () => withStorageErrors(folder, "remove", () => fs.rm(folder, { recursive: true, force: true }))
    return { folder, space, remove }
  })
}

async function removeAbandoned(fs: FsPort, parent: string): Promise<void> {
  for (const { name } of await fs.readdir(parent)) {
    if (!NAME.test(name)) continue
    const stat = await lstatIfThere(fs, join(parent, name))
    const age = Date.now() - Number((stat?.mtimeNs ?? 0n) / 1_000_000n)
    if (stat && Math.abs(age) > ABANDONED) await fs.rm(join(parent, name), { recursive: true, force: true })
  }
}
