import { join, sep } from "node:path"
import type { ListFilter, StoredName } from "@treelog/session-core/adapter"
import { errnoOf, type FolderEntry, type FsPort, storageError } from "@treelog-internal/fs"
import { idOfFileName, SESSION_SUFFIX } from "../place/session-name.js"
import { listFault, listParts } from "./list-parts.js"

/** Names the sessions of the folders, those of a folder together. A missing one has none; one that cannot be read is named with its error. */
export async function* listFolders(
  fs: FsPort,
  folders: AsyncIterable<Found> | Iterable<Found>,
  { parts }: Pick<ListFilter, "parts">,
): AsyncGenerator<readonly StoredName[]> {
  for await (const { path: folder, error, hasOthers } of folders) {
    if (error !== undefined) yield [{ key: folder, error }]
    else
      try {
        const all = await fs.readdir(folder)
        const entries = hasOthers ? all.filter(({ name }) => idOfFileName(name) !== undefined) : all
        const prefix = join(folder, sep)
        yield entries.filter(isSession).map(({ name }) => named(prefix, name))
        if (parts) for (const name of namesWithFolder(entries)) yield await partsOf(fs, prefix + name)
      } catch (error) {
        const fault = listFault(folder, error)
        if (fault) yield [{ key: folder, error: fault }]
      }
  }
}

function named(prefix: string, name: string): StoredName {
  const id = idOfFileName(name)
  return id === undefined ? { key: prefix + name } : { key: prefix + name, id }
}

async function partsOf(fs: FsPort, key: string): Promise<StoredName[]> {
  const parts: StoredName[] = []
  for await (const part of listParts(fs, key)) parts.push(part)
  return parts
}

/** The sessions among the entries of a folder that have a folder of artifacts, by their names. */
function namesWithFolder(entries: readonly FolderEntry[]): string[] {
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name + SESSION_SUFFIX))
  return entries.filter((entry) => isSession(entry) && folders.has(entry.name)).map(({ name }) => name)
}

/** Whether it may be a session, by its name and its type. */
function isSession(entry: FolderEntry): boolean {
  return entry.name.endsWith(SESSION_SUFFIX) && !entry.isDirectory()
}

/** The folders in the sessions folder: its buckets. */
export async function* bucketsIn(fs: FsPort, sessionsDir: string): AsyncGenerator<Found> {
  try {
    for (const entry of await fs.readdir(sessionsDir)) {
      const path = join(sessionsDir, entry.name)
      if (entry.isDirectory()) yield { path }
      else if (entry.isSymbolicLink()) yield* linkedFolder(fs, path)
    }
  } catch (error) {
    const fault = listFault(sessionsDir, error)
    if (fault) yield { path: sessionsDir, error: fault }
  }
}

export interface Found {
  readonly path: string
  /** Whether files of other kinds are in there: sessions are those with such a name. */
  readonly hasOthers?: boolean
  readonly error?: Error
}

async function* linkedFolder(fs: FsPort, path: string): AsyncGenerator<Found> {
  try {
    if ((await fs.stat(path, { bigint: true })).isDirectory()) yield { path }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    yield { path, error: storageError(path, "list", errnoOf(error), error) }
  }
}
