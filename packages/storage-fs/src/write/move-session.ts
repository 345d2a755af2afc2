import { sessionExists } from "@treelog/session-core/adapter"
import { type FsPort, isErrno, lstatIfThere, renameNew, sessionNotFound } from "@treelog-internal/fs"
import { isFolder, moveFolder } from "../artifacts/artifacts.js"
import { artifactsFolder } from "../place/session-name.js"

// Crash argument. The new name is reserved by an empty file, so that no session can be overwritten; then the artifacts
// go, and the session last, by one rename. What fails on the way is undone. A crash leaves the session whole under its
// old name or its new one, never under both. Before the last step, its artifacts can be at the new name already, beside
// the reservation, which reads as an empty session. To move the session again does the rest: who moves holds the lock of
// the new name, so an empty file there is a reservation whose owner is dead (or a session in which there is nothing yet),
// and the session takes its place. The other order would not do: with the session at its new name, no call would ask again
// for a move, and nothing would show where the artifacts are.
//
// A link is made anew at the new name, and the old one taken away last. A crash in between leaves both; the same move finds
// that the new one leads where the old one does, and does the rest.

/**
 * Renames a session and its artifacts. A session that is a link becomes a link to the same file.
 * @throws SessionExistsError, SessionNotFoundError
 */
export async function moveSession(fs: FsPort, from: string, to: string): Promise<void> {
  const [source, target] = [artifactsFolder(from), artifactsFolder(to)]
  const found = await lstatIfThere(fs, from)
  if (found === undefined) throw sessionNotFound(from)
  let hasMoved = false
  const moveArtifacts = async () => {
    if (source === undefined || target === undefined || !(await isFolder(fs, source))) return
    moveFolder(fs, source, target, to)
    hasMoved = true
  }
  try {
    const isDone = found.isSymbolicLink()
      ? await moveLink(fs, from, to, moveArtifacts)
      : await renameTo(fs, from, to, moveArtifacts)
    if (!isDone) throw sessionExists(to)
  } catch (error) {
    const hasStayed = hasMoved && (await lstatIfThere(fs, from)) !== undefined
    if (hasStayed && source !== undefined && target !== undefined) await fs.rename(target, source)
    throw error
  }
}

async function renameTo(fs: FsPort, from: string, to: string, first: () => Promise<void>): Promise<boolean> {
  const there = await lstatIfThere(fs, to)
  if (!there?.isFile() || there.size > 0n) return renameNew(fs, from, to, first)
  await first()
  await fs.rename(from, to)
  return true
}

async function isSameLink(fs: FsPort, one: string, other: string): Promise<boolean> {
  const stat = await lstatIfThere(fs, other)
  return stat?.isSymbolicLink() === true && (await fs.realpath(one)) === (await fs.realpath(other))
}

/** Makes a link to the same file; what comes `first` is done when the name is ours. False when it is taken. */
export async function moveLink(
  fs: FsPort,
  from: string,
  to: string,
  first: () => Promise<void> = async () => {},
): Promise<boolean> {
  try {
    await fs.symlink(await fs.realpath(from), to)
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error
    if (!(await isSameLink(fs, from, to))) return false
  }
  try {
    await first()
    await fs.unlink(from)
    return true
  } catch (error) {
    await fs.unlink(to)
    throw error
  }
}
