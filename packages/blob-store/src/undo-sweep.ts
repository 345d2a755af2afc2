import { join, resolve } from "node:path"
import { type FsPort, nodeFs, syncFolder, withStorageErrors } from "@treelog-internal/fs"
import { kindOfName } from "./blob-names.js"
import { type BlobFile, blobFile } from "./scan-folder.js"
import { type Tally, tallyOf } from "./tally.js"
import { namesInTrash, removeTrash, restore, trashFolders } from "./trash.js"

/**
 * Gives back all that the last sweep took away, and what an earlier one left when it was interrupted. When it fails in
 * the middle, it can be called again.
 * @param blobs the folder of the blobs
 * @returns the blobs that were given back
 * @throws StorageError
 */
export async function undoSweep(blobs: string, { fs = nodeFs }: { fs?: FsPort } = {}): Promise<Tally> {
  const to = resolve(blobs)
  return withStorageErrors(to, "undo the sweep of", async () => {
    const restored: BlobFile[] = []
    for (const folder of await trashFolders(fs, to)) {
      for (const name of await namesInTrash(fs, folder)) {
        const file = await blobFile(fs, folder, name)
        await restore(fs, join(folder, name), join(to, name))
        if (file !== undefined && kindOfName(name) === "blob") restored.push(file)
      }
      await syncFolder(fs, to)
      await removeTrash(fs, folder)
    }
    return tallyOf(restored)
  })
}
