import { basename, dirname, join } from "node:path"
import { sessionChanged, sessionExists } from "@treelog/session-core/adapter"
import {
  type FileStat,
  type FsPort,
  lstatIfThere,
  makeFolder,
  notAFile,
  sessionNotFound,
  syncFolder,
} from "@treelog-internal/fs"
import { moveFolder } from "../artifacts/artifacts.js"
import { moveLink } from "../write/move-session.js"
import type { NamesBeside } from "./names-beside.js"
import { isTrashFolder, removePlace, trashFolder, trashPlace } from "./trash-place.js"

// Crash argument. The session goes first, by one rename into a folder that no other process uses, and that is made durable;
// then go its artifacts, and what was kept of it, each by a rename. Coming back, the session goes last. So whenever the
// session is in its place, all that belongs to it is; and while it is in the trash, the rest is either with it or still
// in its own place, where restoring leaves it and emptying the trash finds it. Cut short anywhere, no byte is lost, and
// restoring gives back what was there. A fault undoes what was done; if that fails too, the state is one of these.

/** When a session goes to the trash, and what it is believed to be. */
export interface PutOptions {
  /** Milliseconds since 1970: when the session was deleted; sessions with the same time were deleted together. */
  readonly now: number
  /** What the session is believed to take, in bytes: one of another size was written meanwhile, and stays. */
  readonly size?: number | undefined
}

/**
 * Moves a session to the trash, with all that belongs to it. Only for who holds it. Resolves to its path there.
 * @throws SessionNotFoundError, SessionChangedError
 */
export async function putInTrash(
  fs: FsPort,
  key: string,
  beside: NamesBeside,
  { now, size, token }: PutOptions & { token: string },
): Promise<string> {
  const found = await lstatIfThere(fs, key)
  if (found === undefined) throw sessionNotFound(key)
  if (found.isDirectory()) throw notAFile(key, true)
  await expectSize(fs, key, size)
  await isTrashFolder(fs, trashFolder(dirname(key)), "move to the trash")
  const [folder, place] = [dirname(key), trashPlace(key, now, token)]
  const names = await beside.of(key)
  const path = join(place, basename(key))
  for (const changed of makeFolder(fs, place)) await syncFolder(fs, changed)
  try {
    await moveFile(fs, key, path, found)
    await syncFolder(fs, place)
    await syncFolder(fs, folder)
    for (const name of names) await fs.rename(join(folder, name), join(place, name))
    if (names.length > 0) await syncFolder(fs, place)
  } catch (error) {
    // What cannot be undone now must not hide why it had to be.
    await Promise.allSettled([undo(fs, { key, path, found, names })])
    throw error
  }
  return path
}

interface StartedMove {
  readonly key: string
  readonly path: string
  readonly found: FileStat
  readonly names: readonly string[]
}

async function undo(fs: FsPort, { key, path, found, names }: StartedMove): Promise<void> {
  const [folder, place] = [dirname(key), dirname(path)]
  for (const name of names) {
    if ((await lstatIfThere(fs, join(place, name))) !== undefined)
      moveFolder(fs, join(place, name), join(folder, name), key)
  }
  if ((await lstatIfThere(fs, path)) !== undefined) await moveFile(fs, path, key, found)
  await removePlace(fs, place)
  await syncFolder(fs, folder)
}

/** Nothing has the new name: the folder of the one is ours alone, and the lease keeps the other free. */
async function moveFile(fs: FsPort, from: string, to: string, found: FileStat): Promise<void> {
  if (!found.isSymbolicLink()) await fs.rename(from, to)
  else if (!(await moveLink(fs, from, to))) throw sessionExists(to)
}

async function expectSize(fs: FsPort, key: string, expected: number | undefined): Promise<void> {
  if (expected === undefined) return
  const size = Number((await fs.stat(key, { bigint: true })).size)
  if (size !== expected) throw sessionChanged(key, size > expected ? "grown" : "shrunk")
}
