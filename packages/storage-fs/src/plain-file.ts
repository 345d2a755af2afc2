import { constants } from "node:fs"
import type { FileStat, FsPort, OpenFile } from "./fs-port.js"
import { storageError } from "./storage-error.js"

/** Opening a pipe or a device that has the name of a file must not wait for a writer. */
export const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** The same, and a link in the place of the file is an error (`ELOOP`) rather than what it leads to. */
export const READ_NO_LINK = READ_AT_ONCE | (constants.O_NOFOLLOW ?? 0)

/**
 * Opens a file for reading, and looks at what was opened.
 * @throws StorageError for what is no plain file; what the system says otherwise
 */
export async function openPlain(
  fs: FsPort,
  path: string,
  flags = READ_AT_ONCE,
): Promise<{ file: OpenFile; stat: FileStat }> {
  const file = await fs.open(path, flags)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile()) throw storageError(path, "read", undefined, new Error("this is no plain file"))
    return { file, stat }
  } catch (error) {
    await file.close()
    throw error
  }
}
