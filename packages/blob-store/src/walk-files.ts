import { join } from "node:path"
import type { FileStat, FsPort } from "./fs-port.js"
import { isGone, told } from "./storage-error.js"
import { identityOf } from "./stored-stat.js"

export const READING = "read, for its references to blobs,"

export interface FoundFile {
  readonly path: string
  readonly stat: FileStat
}

/**
 * Every regular file in a folder and in those below it. Links are followed, each folder is entered once. What goes away
 * meanwhile is passed over; what is there and cannot be looked at is an error, a link that leads nowhere included: the
 * disk that it leads to may be away for the moment.
 * @param entered the identities of folders that were entered already; grows
 * @param skip whether to pass over a name in the folder with the identity
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
    for (const name of await namesOf(fs, folder.path, folder.path === root)) {
      if (skip(identity, name)) continue
      const path = join(folder.path, name)
      const stat = await statFound(fs, path)
      if (stat?.isDirectory()) folders.push({ path, stat })
      else if (stat?.isFile()) yield { path, stat }
    }
  }
}

/** Of something that was just named. Undefined when it went away. */
async function statFound(fs: FsPort, path: string): Promise<FileStat | undefined> {
  for (;;) {
    try {
      return await fs.stat(path, { bigint: true })
    } catch (error) {
      const link = isGone(error) ? await linkIfThere(fs, path) : undefined
      if (!isGone(error) || link?.isSymbolicLink()) throw told(error, path, READING)
      if (link === undefined) return undefined
      // It is there again: a lock, say. Then it can be looked at after all.
    }
  }
}

async function linkIfThere(fs: FsPort, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.lstat(path, { bigint: true })
  } catch (error) {
    if (isGone(error)) return undefined
    throw told(error, path, READING)
  }
}

/** Of something that has to be there. */
export async function statRoot(fs: FsPort, path: string): Promise<FileStat> {
  try {
    return await fs.stat(path, { bigint: true })
  } catch (error) {
    throw told(error, path, READING)
  }
}

/** At once, so that no folder stays open while its files are read. */
async function namesOf(fs: FsPort, folder: string, isRoot: boolean): Promise<string[]> {
  const names: string[] = []
  try {
    for await (const { name } of await fs.opendir(folder)) names.push(name)
  } catch (error) {
    if (isRoot || !isGone(error)) throw told(error, folder, READING)
  }
  return names
}
