import { join } from "node:path"
import type { StoredName } from "@treelog/session-core"
import type { FolderEntry, FsPort } from "./fs-port.js"
import { idOfFileName, SESSION_SUFFIX } from "./session-name.js"
import { errnoOf, isErrno, storageError } from "./storage-error.js"

/** Names the sessions of the folders. A missing one has none; one that cannot be read is named with its error. */
export async function* listFolders(
  fs: FsPort,
  folders: AsyncIterable<Found> | Iterable<Found>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredName> {
  for await (const { path: folder, error } of folders) {
    if (error !== undefined) yield { key: folder, error }
    else yield* listFolder(fs, folder, signal)
  }
}

/** The folders in the sessions folder: its buckets. */
export async function* bucketsIn(fs: FsPort, sessionsDir: string): AsyncGenerator<Found> {
  for await (const { path, entry, error } of entriesOf(fs, sessionsDir)) {
    if (error !== undefined) yield { path, error }
    else if (entry?.isDirectory()) yield { path }
    else if (entry?.isSymbolicLink()) yield* linkedFolder(fs, path)
  }
}

export interface Found {
  readonly path: string
  readonly error?: Error
}

async function* listFolder(fs: FsPort, folder: string, signal: AbortSignal | undefined): AsyncGenerator<StoredName> {
  for await (const { path, entry, error } of entriesOf(fs, folder)) {
    signal?.throwIfAborted()
    if (error !== undefined) yield { key: path, error }
    if (entry === undefined || entry.isDirectory() || !entry.name.endsWith(SESSION_SUFFIX)) continue
    const id = idOfFileName(entry.name)
    yield id === undefined ? { key: path } : { key: path, id }
  }
}

/** What is in a folder. A fault while it is read ends it, and is told. */
async function* entriesOf(fs: FsPort, folder: string): AsyncGenerator<Found & { readonly entry?: FolderEntry }> {
  try {
    for await (const entry of await fs.opendir(folder)) yield { path: join(folder, entry.name), entry }
  } catch (error) {
    if (isErrno(error, "ENOENT")) return
    if (errnoOf(error) === undefined) throw error
    yield { path: folder, error: storageError(folder, "list", errnoOf(error), error) }
  }
}

async function* linkedFolder(fs: FsPort, path: string): AsyncGenerator<Found> {
  try {
    if ((await fs.stat(path, { bigint: true })).isDirectory()) yield { path }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    yield { path, error: storageError(path, "list", errnoOf(error), error) }
  }
}
