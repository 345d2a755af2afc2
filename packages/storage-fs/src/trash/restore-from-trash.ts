import { dirname, join } from "node:path"
import { type FsPort, lstatIfThere, renameNew, syncFolder } from "@treelog-internal/fs"
import { moveLink } from "../move-session.js"
import { sessionExists, sessionNotFound } from "../session-errors.js"
import { namesBeside } from "./names-beside.js"
import { removePlace } from "./remove-place.js"
import { expectTrashPlace, originOf } from "./trash-place.js"

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
