import { basename, dirname, join } from "node:path"
import { type FsPort, lstatIfThere } from "@treelog-internal/fs"
import { sessionNotFound } from "../session-errors.js"
import { type NamesBeside, namesBeside } from "./names-beside.js"
import { removePlace } from "./remove-place.js"
import { expectTrashPlace, originOf, timeOfPlace, trashFolder } from "./trash-place.js"

/**
 * Removes a session in the trash for good, with all that belongs to it, the session last, so that it is listed until
 * nothing is left. Only for who holds the session's old place. What fails on the way can be done again.
 * @throws SessionNotFoundError
 */
export async function removeTrashed(fs: FsPort, path: string, beside: NamesBeside): Promise<void> {
  const key = originOf(path)
  await expectTrashPlace(fs, path, "remove")
  if ((await lstatIfThere(fs, path)) === undefined) throw sessionNotFound(path)
  const left = (await lstatIfThere(fs, key)) === undefined ? await beside.of(key) : []
  // What a crash left in its place belongs to this session, unless it can be another one's of the same name.
  if (left.length > 0 && !(await hasNamesake(fs, path))) await removeAll(fs, dirname(key), left)
  await removeAll(fs, dirname(path), await namesBeside(fs).of(path))
  await fs.unlink(path)
  await removePlace(fs, dirname(path))
}

async function removeAll(fs: FsPort, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await fs.rm(join(folder, name), { recursive: true, force: true })
}

async function hasNamesake(fs: FsPort, path: string): Promise<boolean> {
  const folder = trashFolder(dirname(originOf(path)))
  for (const { name } of await fs.readdir(folder)) {
    if (timeOfPlace(name) === undefined || name === basename(dirname(path))) continue
    if ((await lstatIfThere(fs, join(folder, name, basename(path)))) !== undefined) return true
  }
  return false
}
