import type { FileStat, FsPort } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

/** What has the name, be it a link; undefined when nothing has. */
export async function lstatIfThere(fs: FsPort, path: string): Promise<FileStat | undefined> {
  try {
    return await fs.lstat(path, { bigint: true })
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR")) return undefined
    throw error
  }
}
