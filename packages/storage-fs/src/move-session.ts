import { isFolder, moveFolder } from "./artifacts.js"
import type { FsPort } from "./fs-port.js"
import { lstatIfThere } from "./lstat-if-there.js"
import { renameNew } from "./place-file.js"
import { sessionExists, sessionNotFound } from "./session-errors.js"
import { artifactsFolder } from "./session-name.js"
import { isErrno } from "./storage-error.js"

// Crash argument. The new name is reserved by an empty file, so that no session can be overwritten; then the artifacts
// go, and the session last, by one rename. What fails on the way is undone. A crash leaves the session whole under its
// old name or its new one, never under both; before the last step, its artifacts can be at the new name already, beside
// the reservation, which reads as an empty session.

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
    await moveFolder(fs, source, target, to)
    hasMoved = true
  }
  try {
    const isDone = found.isSymbolicLink()
      ? await moveLink(fs, from, to, moveArtifacts)
      : await renameNew(fs, from, to, moveArtifacts)
    if (!isDone) throw sessionExists(to)
  } catch (error) {
    const hasStayed = hasMoved && (await lstatIfThere(fs, from)) !== undefined
    if (hasStayed && source !== undefined && target !== undefined) await fs.rename(target, source)
    throw error
  }
}

async function moveLink(fs: FsPort, from: string, to: string, first: () => Promise<void>): Promise<boolean> {
  try {
    await fs.symlink(await fs.realpath(from), to)
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false
    throw error
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
