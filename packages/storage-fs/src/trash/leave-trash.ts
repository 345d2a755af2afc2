import { basename, dirname, join } from "node:path"
import { sessionExists } from "@treelog/session-core/adapter"
import { type FsPort, lstatIfThere, renameNew, sessionNotFound, syncFolder } from "@treelog-internal/fs"
import { moveLink } from "../write/move-session.js"
import { type NamesBeside, namesBeside } from "./names-beside.js"
import { expectTrashPlace, originOf, removePlace, timeOfPlace, trashFolder } from "./trash-place.js"

/**
 * Puts a session in the trash back where it was, with all that belongs to it, the session last: put-in-trash.ts says why.
 * Only for who holds the session's old place. What fails on the way can be done again. Resolves to the old path.
 * @throws SessionExistsError when something is there by now; SessionNotFoundError
 */
export async function restoreFromTrash(fs: FsPort, path: string): Promise<string> {
  const key = originOf(path)
  const [folder, place] = [dirname(key), dirname(path)]
  await expectTrashPlace(fs, path, "restore")
  const found = await lstatIfThere(fs, path)
  if (found === undefined) throw sessionNotFound(path)
  const there = await lstatIfThere(fs, key)
  // A crash may have left the reservation of the name: a file without a byte, which holds nothing.
  const isReserved = there?.isFile() === true && there.size === 0n
  if (there !== undefined && !isReserved) throw sessionExists(key)
  const names = await namesBeside(fs).of(path)
  for (const name of names)
    if ((await lstatIfThere(fs, join(folder, name))) !== undefined) throw sessionExists(join(folder, name))
  for (const name of names) await fs.rename(join(place, name), join(folder, name))
  if (names.length > 0) await syncFolder(fs, folder)
  if (isReserved) await fs.unlink(key)
  const isBack = found.isSymbolicLink() ? await moveLink(fs, path, key) : await renameNew(fs, path, key)
  if (!isBack) throw sessionExists(key)
  await syncFolder(fs, folder)
  await removePlace(fs, place)
  return key
}

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
