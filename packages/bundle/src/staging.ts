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

/** A new folder for an unpacked bundle. */
export class Staging {
  readonly folder: string
  readonly space: FreeSpace
  readonly #fs: FsPort

  private constructor(fs: FsPort, folder: string, space: FreeSpace) {
    this.#fs = fs
    this.folder = folder
    this.space = space
  }

  /** @param parent an absolute path @throws StorageError */
  static make(fs: FsPort, parent: string): Promise<Staging> {
    const folder = join(parent, `unbundle.${randomBytes(8).toString("hex")}.tmp`)
    return withStorageErrors(folder, "write", async () => {
      makeFolder(fs, parent)
      await removeAbandoned(fs, parent)
      await fs.mkdir(folder, { recursive: false, mode: FOLDER_MODE })
      const { bavail, bsize, files, ffree } = await statfs(folder)
      return new Staging(fs, folder, { bytes: bavail * bsize, block: bsize, files: files > 0 ? ffree : Infinity })
    })
  }

  /** @throws StorageError */
  remove(): Promise<void> {
    return withStorageErrors(this.folder, "remove", () => this.#fs.rm(this.folder, { recursive: true, force: true }))
  }
}

async function removeAbandoned(fs: FsPort, parent: string): Promise<void> {
  for (const { name } of await fs.readdir(parent)) {
    if (!NAME.test(name)) continue
    const stat = await lstatIfThere(fs, join(parent, name))
    const age = Date.now() - Number((stat?.mtimeNs ?? 0n) / 1_000_000n)
    if (stat && Math.abs(age) > ABANDONED) await fs.rm(join(parent, name), { recursive: true, force: true })
  }
}
