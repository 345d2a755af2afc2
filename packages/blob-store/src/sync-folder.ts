import type { FsPort } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

/**
 * Makes the names in a folder durable: a new, renamed or removed file keeps its name through a crash only after this.
 * Windows cannot open a folder, and some network file systems do not know the call; both write names through.
 */
export async function syncFolder(fs: FsPort, folder: string): Promise<void> {
  if (process.platform === "win32") return
  const file = await fs.open(folder, "r")
  try {
    await file.sync()
  } catch (error) {
    if (!isErrno(error, "EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error
  } finally {
    await file.close()
  }
}
