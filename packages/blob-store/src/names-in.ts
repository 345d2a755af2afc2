import type { FsPort } from "./fs-port.js"
import { isErrno } from "./storage-error.js"

/** The names in a folder; none when it is not there. */
export async function* namesIn(fs: FsPort, folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await fs.opendir(folder)) yield name
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error
  }
}
