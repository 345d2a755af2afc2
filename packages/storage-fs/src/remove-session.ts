import type { FsPort } from "./fs-port.js"
import { artifactsFolder } from "./session-name.js"
import { isErrno } from "./storage-error.js"

/** Removes a session, then its artifacts: what fails on the way can be done again. Of a link, the link alone. */
export async function removeSession(fs: FsPort, key: string): Promise<void> {
  try {
    await fs.unlink(key)
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
  }
  const artifacts = artifactsFolder(key)
  if (artifacts !== undefined) await fs.rm(artifacts, { recursive: true, force: true })
}
