import { type FsPort, isErrno } from "@treelog-internal/fs"
import { isFolder, moveFolder } from "../artifacts/artifacts.js"
import { artifactsFolder } from "../place/session-name.js"
import { tempName } from "./temp-file.js"

// Crash argument. The artifacts get a temporary name first, then the session goes, then they do. A crash before the session is gone
// leaves both, and one after it artifacts without a session: settle-lease.ts restores them, or removes them.

/** Removes a session with its artifacts: what fails on the way can be done again. Of a link, the link alone. */
export async function removeSession(fs: FsPort, key: string, token: string): Promise<void> {
  const artifacts = artifactsFolder(key)
  const temp = artifacts === undefined ? undefined : tempName(artifacts, token)
  const isMoved = artifacts !== undefined && temp !== undefined && (await isFolder(fs, artifacts))
  if (isMoved) moveFolder(fs, artifacts, temp, key)
  try {
    await fs.unlink(key)
  } catch (error) {
    if (!isErrno(error, "ENOENT")) {
      if (isMoved) moveFolder(fs, temp, artifacts, key)
      throw error
    }
  }
  if (temp !== undefined) await fs.rm(temp, { recursive: true, force: true })
}
