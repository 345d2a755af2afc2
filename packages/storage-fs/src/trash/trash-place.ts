import { basename, dirname, join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { type FsPort, isErrno, lstatIfThere } from "@treelog-internal/fs"

// The trash of a folder of sessions is `.trash` in it (FORMAT.md, section 1): one folder for each session, named after
// the time and a token. Its path shows both: where the session was, and when it was taken away. There is no list that
// could be lost, or that could say something else than the files.

const TRASH = ".trash"
const PLACE = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z_[0-9a-f]{16}$/

/** `2026-03-07T14-00-00-000Z`: what sessions that were taken away together have in common. */
export function batchName(time: number): string {
  return new Date(time).toISOString().replace(/[:.]/g, "-")
}

export function trashFolder(folder: string): string {
  return join(folder, TRASH)
}

/** The folder that a session is put into. The token makes it one that no other process uses. */
export function trashPlace(key: string, now: number, token: string): string {
  return join(trashFolder(dirname(key)), `${batchName(now)}_${token}`)
}

/** The time in the name of such a folder, in milliseconds since 1970; undefined for any other name. */
export function timeOfPlace(name: string): number | undefined {
  const [whole, day, hours, minutes, seconds, millis] = PLACE.exec(name) ?? []
  return whole === undefined ? undefined : Date.parse(`${day}T${hours}:${minutes}:${seconds}.${millis}Z`)
}

/**
 * Where a session in the trash came from, and goes back to.
 * @throws InvalidArgumentError for a path that is not in the trash
 */
export function originOf(path: string): string {
  if (isInTrash(path)) return join(dirname(dirname(dirname(path))), basename(path))
  throw invalidPath(path, "This is not in the trash")
}

/** @throws InvalidArgumentError for a path that is in the trash */
export function assertNotInTrash(path: string): void {
  if (isInTrash(path)) throw invalidPath(path, "This is in the trash already")
}

/**
 * Whether a folder is there. A link or a file that has its name instead is refused: through it, sessions would be moved to, taken from
 * or removed in a place that is not theirs.
 * @throws StorageError
 */
export async function isTrashFolder(fs: FsPort, path: string, operation: string): Promise<boolean> {
  const found = await lstatIfThere(fs, path)
  if (found === undefined || found.isDirectory()) return found !== undefined
  const what = found.isSymbolicLink() ? "a symbolic link" : "a file"
  const message = `Cannot ${operation}: the trash has to be a folder, but ${path} is ${what}. Remove or rename it, and try again.`
  throw new TreelogError("StorageError", message, { key: path, operation, errno: "ENOTDIR" })
}

/** Expects a folder, where there is something, at the place of a session in the trash and at the trash around it. @throws StorageError */
export async function expectTrashPlace(fs: FsPort, path: string, operation: string): Promise<void> {
  const place = dirname(path)
  await isTrashFolder(fs, dirname(place), operation)
  await isTrashFolder(fs, place, operation)
}

export function isInTrash(path: string): boolean {
  const place = dirname(path)
  return basename(dirname(place)) === TRASH && timeOfPlace(basename(place)) !== undefined
}

function invalidPath(path: string, what: string): TreelogError<"InvalidArgumentError"> {
  return new TreelogError("InvalidArgumentError", `${what}: ${path}`, { argument: "path", value: path })
}

/** Removes the folder that a session had in the trash, and the trash itself, each unless something is in it. */
export async function removePlace(fs: FsPort, place: string): Promise<void> {
  for (const folder of [place, dirname(place)]) {
    try {
      await fs.rmdir(folder)
    } catch (error) {
      if (isErrno(error, "ENOTEMPTY", "EEXIST")) return
      if (!isErrno(error, "ENOENT")) throw error
    }
  }
}
