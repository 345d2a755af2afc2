import { basename, join } from "node:path"
import { isTreelogError } from "@treelog/session-core"
import { type FolderEntry, type FsPort, isErrno, toStorageError } from "@treelog-internal/fs"
import type { Found } from "../list/list-sessions.js"
import { SESSION_SUFFIX } from "../place/session-name.js"
import { isTrashFolder, timeOfPlace, trashFolder } from "./trash-place.js"

/** A session in the trash; or, where that cannot be read, why. */
export interface TrashedSession {
  /** Where it is. An absolute path; of what cannot be read, the folder. */
  readonly path: string
  /** Where it was, and goes back to. */
  readonly from: string
  /** When it was taken away. Milliseconds since 1970. */
  readonly deleted: number
  readonly error?: Error
}

/** Names what is in the trash of the folders, in no particular order, without opening any of it. */
export async function* listTrash(
  fs: FsPort,
  folders: AsyncIterable<Found> | Iterable<Found>,
  signal: AbortSignal | undefined,
): AsyncGenerator<TrashedSession> {
  for await (const { path: folder, error } of folders) {
    if (error !== undefined) yield { path: folder, from: folder, deleted: 0, error }
    else yield* trashOf(fs, folder, signal)
  }
}

async function* trashOf(fs: FsPort, folder: string, signal: AbortSignal | undefined): AsyncGenerator<TrashedSession> {
  const trash = trashFolder(folder)
  try {
    if (!(await isTrashFolder(fs, trash, "list"))) return
    for (const place of await fs.readdir(trash)) {
      signal?.throwIfAborted()
      const deleted = timeOfPlace(place.name)
      if (deleted === undefined || !place.isDirectory()) continue
      const path = await sessionIn(fs, join(trash, place.name))
      // A folder without a session is one that is being filled, or was emptied a moment ago.
      if (path !== undefined) yield { path, from: join(folder, basename(path)), deleted }
    }
  } catch (error) {
    if (isErrno(error, "ENOENT")) return
    const fault = toStorageError(error, trash, "list")
    if (!isTreelogError(fault)) throw error
    yield { path: trash, from: folder, deleted: 0, error: fault }
  }
}

async function sessionIn(fs: FsPort, place: string): Promise<string | undefined> {
  let found: FolderEntry | undefined
  for (const entry of await fs.readdir(place))
    if (!entry.isDirectory() && entry.name.endsWith(SESSION_SUFFIX)) found ??= entry
  return found && join(place, found.name)
}
