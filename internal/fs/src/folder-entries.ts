import type { FolderEntry, FsPort } from "./fs-port.js"
import { isGone, toStorageError } from "./storage-error.js"

/** What is in a folder, by name; nothing where there is none. @throws StorageError */
export async function entriesIn(fs: FsPort, folder: string): Promise<FolderEntry[]> {
  try {
    return (await fs.readdir(folder)).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (isGone(error)) return []
    throw toStorageError(error, folder, "list")
  }
}
