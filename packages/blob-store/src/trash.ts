import { dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import {
  FOLDER_MODE,
  type FsPort,
  isErrno,
  isGone,
  isWithoutLinks,
  lstatIfThere,
  statIfThere,
  syncFolder,
} from "@treelog-internal/fs"
import { kindOfName, TRASH, timeInName } from "./blob-names.js"
import { namesIn } from "./names-in.js"

// The trash of a folder of blobs: `.trash/<time>/`, one folder a sweep, on the same disk, so that taking something away
// and giving it back are renames, and no byte is copied or lost on the way.

/** Where one sweep puts what it takes away. The folder is made for the first file. */
export class Trash {
  folder: string | undefined
  readonly #fs: FsPort
  readonly #blobs: string
  readonly #time: number

  constructor(fs: FsPort, blobs: string, time: number) {
    this.#fs = fs
    this.#blobs = blobs
    this.#time = time
  }

  /** Resolves to the folder that the file is in now; undefined when another process took it. */
  async take(name: string): Promise<string | undefined> {
    this.folder ??= await makeTrash(this.#fs, this.#blobs, this.#time)
    try {
      await this.#fs.rename(join(this.#blobs, name), join(this.folder, name))
      return this.folder
    } catch (error) {
      if (isGone(error)) return undefined
      throw error
    }
  }

  async restore(name: string): Promise<void> {
    if (this.folder !== undefined) await restore(this.#fs, join(this.folder, name), join(this.#blobs, name))
  }

  async sync(): Promise<void> {
    if (this.folder === undefined) return
    await syncFolder(this.#fs, this.folder)
    await syncFolder(this.#fs, this.#blobs)
  }

  /** The folder goes if all was given back. Resolves to it otherwise. */
  async close(): Promise<string | undefined> {
    if (this.folder === undefined) return undefined
    return (await removeTrash(this.#fs, this.folder)) ? undefined : this.folder
  }
}

/** The folders of earlier sweeps. */
export async function trashFolders(fs: FsPort, blobs: string): Promise<string[]> {
  const trash = await expectTrashFolder(fs, blobs)
  const folders: string[] = []
  for (const name of await namesIn(fs, trash)) {
    const folder = join(trash, name)
    // What is linked there is no sweep's: what it leads to is not to be emptied.
    if ((await lstatIfThere(fs, folder))?.isDirectory()) folders.push(folder)
  }
  return folders
}

/** What sweeps have put into a folder. Anything else that is there is not ours. */
export async function namesInTrash(fs: FsPort, folder: string): Promise<string[]> {
  return (await namesIn(fs, folder)).filter((name) => {
    const kind = kindOfName(name)
    return kind === "blob" || kind === "sidecar" || kind === "temporary"
  })
}

/** Puts a file back under its name. Where the name is taken again, by the same bytes, that one stays. */
export async function restore(fs: FsPort, from: string, to: string): Promise<void> {
  try {
    await fs.link(from, to)
  } catch (error) {
    if (isGone(error) && (await statIfThere(fs, from)) === undefined) return
    if (isWithoutLinks(error) && (await statIfThere(fs, to)) === undefined) return fs.rename(from, to)
    if (!isErrno(error, "EEXIST") && !isWithoutLinks(error)) throw error
  }
  await removeIfThere(fs, from)
}

export async function removeIfThere(fs: FsPort, path: string): Promise<void> {
  try {
    await fs.unlink(path)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

/** Removes a folder of the trash, unless something is left in it. Resolves to whether it is gone. */
export async function removeTrash(fs: FsPort, folder: string): Promise<boolean> {
  try {
    await fs.rmdir(folder)
    return true
  } catch (error) {
    if (isErrno(error, "ENOTEMPTY", "EEXIST")) return false
    if (isGone(error)) return true
    throw error
  }
}

/**
 * Refuses a link or a file in the place of the trash: through it, blobs would be moved to or removed in a place that is not theirs.
 * @throws StorageError
 */
async function expectTrashFolder(fs: FsPort, blobs: string): Promise<string> {
  const trash = join(blobs, TRASH)
  const found = await lstatIfThere(fs, trash)
  if (found === undefined || found.isDirectory()) return trash
  const what = found.isSymbolicLink() ? "a symbolic link" : "a file"
  const message = `The trash of the blobs has to be a folder, but ${trash} is ${what}. Remove or rename it, and try again.`
  throw new TreelogError("StorageError", message, { key: trash, operation: "use the trash", errno: "ENOTDIR" })
}

async function makeTrash(fs: FsPort, blobs: string, time: number): Promise<string> {
  const path = join(await expectTrashFolder(fs, blobs), timeInName(time))
  await fs.mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  for (let number = 1; ; number++) {
    const folder = number === 1 ? path : `${path}.${number}`
    try {
      await fs.mkdir(folder, { recursive: false, mode: FOLDER_MODE })
      return folder
    } catch (error) {
      if (!isErrno(error, "EEXIST")) throw error
    }
  }
}
