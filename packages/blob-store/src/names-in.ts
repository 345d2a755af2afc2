import type { FsPort } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

/** The names in a folder; none when it is not there. */
export async function namesIn(fs: FsPort, folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder)
  } catch (error) {
    if (isErrno(error, "ENOENT")) return []
    throw error
  }
}
