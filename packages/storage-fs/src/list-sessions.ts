import { join, sep } from "node:path"
import type { ListFilter, StoredName } from "@treelog/session-core/adapter"
import { errnoOf, type FolderEntry, type FsPort, isErrno, storageError } from "@treelog-internal/fs"
import { idOfFileName, SESSION_SUFFIX } from "./session-name.js"

/** Names the sessions of the folders. A missing one has none; one that cannot be read is named with its error. */
export async function* listFolders(
  fs: FsPort,
  folders: AsyncIterable<Found> | Iterable<Found>,
  { signal, parts }: Pick<ListFilter, "signal" | "parts">,
  partsOf: (key: string) => AsyncIterable<StoredName>,
): AsyncGenerator<StoredName> {
  // One generator: each further one costs as much for a name as finding it.
  for await (const { path: folder, error, hasOthers } of folders) {
    if (error !== undefined) yield { key: folder, error }
    else
      try {
        const prefix = join(folder, sep)
        const all = await fs.readdir(folder)
        const entries = hasOthers ? all.filter(({ name }) => idOfFileName(name) !== undefined) : all
        for (const entry of entries) {
          signal?.throwIfAborted()
          if (!isSession(entry)) continue
          const id = idOfFileName(entry.name)
          yield id === undefined ? { key: prefix + entry.name } : { key: prefix + entry.name, id }
        }
        if (parts) for (const name of namesWithFolder(entries)) yield* partsOf(prefix + name)
      } catch (error) {
        const fault = listFault(folder, error)
        if (fault) yield { key: folder, error: fault }
      }
  }
}

/** The sessions among the entries of a folder that have a folder of artifacts, by their names. */
export function namesWithFolder(entries: readonly FolderEntry[]): string[] {
  const folders = new Set(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name + SESSION_SUFFIX))
  return entries.filter((entry) => isSession(entry) && folders.has(entry.name)).map(({ name }) => name)
}

/** Whether it may be a session, by its name and its type. */
export function isSession(entry: FolderEntry): boolean {
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

/** The error that ended the reading of a folder; undefined where there is no such folder. */
export function listFault(folder: string, error: unknown): Error | undefined {
  if (isErrno(error, "ENOENT")) return undefined
  if (errnoOf(error) === undefined) throw error
  return storageError(folder, "list", errnoOf(error), error)
}

async function* linkedFolder(fs: FsPort, path: string): AsyncGenerator<Found> {
  try {
    if ((await fs.stat(path, { bigint: true })).isDirectory()) yield { path }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    yield { path, error: storageError(path, "list", errnoOf(error), error) }
  }
}
