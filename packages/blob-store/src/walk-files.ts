import { join } from "node:path"
import { type FileStat, type FsPort, isGone, lstatIfThere, toStorageError } from "@treelog-internal/fs"
import { identityOf } from "./stored-stat.js"

export const READING = "read, for its references to blobs,"

export interface FoundFile {
  readonly path: string
  readonly stat: FileStat
}

/**
 * Every regular file in a folder and in those below it. Links are followed, each folder is entered once. What goes away
 * meanwhile is skipped; what is there and cannot be read is an error, a link that leads nowhere included: the
 * disk that it leads to may be away for the moment. That something is gone is believed when its folder no longer names it.
 * @param entered the identities of folders that were entered already; grows
 * @param skip whether to skip a name in the folder with the identity
 * @throws StorageError
 */
export async function* walkFiles(
  fs: FsPort,
  root: string,
  entered: Set<string>,
  skip: (folder: string, name: string) => boolean,
): AsyncGenerator<FoundFile> {
  const folders: FoundFile[] = [{ path: root, stat: await statRoot(fs, root) }]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const identity = identityOf(folder.stat)
    if (entered.has(identity)) continue
    entered.add(identity)
    for (const name of await fileNames(fs, folder.path, folder.path === root)) {
      if (skip(identity, name)) continue
      const path = join(folder.path, name)
      const stat = await statFound(fs, folder.path, name)
      if (stat?.isDirectory()) folders.push({ path, stat })
      else if (stat?.isFile()) yield { path, stat }
    }
  }
}

/** So often is a file looked for that its folder names and the system does not find: a lock may come and go. */
const ATTEMPTS = 16

/** The stat of what a folder named; undefined when it went away, which its folder has to confirm. */
async function statFound(fs: FsPort, folder: string, name: string): Promise<FileStat | undefined> {
  const path = join(folder, name)
  for (let attempt = 1; ; attempt++) {
    try {
      return await fs.stat(path, { bigint: true })
    } catch (error) {
      if (!isGone(error) || (await isLink(fs, path)) || attempt === ATTEMPTS) throw toStorageError(error, path, READING)
      if (!(await fileNames(fs, folder, false)).includes(name)) return undefined
    }
  }
}

async function isLink(fs: FsPort, path: string): Promise<boolean> {
  try {
    return (await lstatIfThere(fs, path))?.isSymbolicLink() ?? false
  } catch (error) {
    throw toStorageError(error, path, READING)
  }
}

/** Of something that has to be there. */
export async function statRoot(fs: FsPort, path: string): Promise<FileStat> {
  try {
    return await fs.stat(path, { bigint: true })
  } catch (error) {
    throw toStorageError(error, path, READING)
  }
}

async function fileNames(fs: FsPort, folder: string, isRoot: boolean): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).map(({ name }) => name)
  } catch (error) {
    if (isRoot || !isGone(error)) throw toStorageError(error, folder, READING)
    return []
  }
}
