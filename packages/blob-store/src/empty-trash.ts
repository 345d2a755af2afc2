import { join } from "node:path"
import { type FsPort, syncFolder } from "@treelog-internal/fs"
import { hashInName, kindOfName } from "./blob-names.js"
import { type BlobFile, blobFile } from "./scan-folder.js"
import { type Tally, tallyOf } from "./tally.js"
import { namesInTrash, removeIfThere, removeTrash, restore, trashFolders } from "./trash.js"

/**
 * Empties what earlier sweeps left. A blob that has to be kept after all goes back, with its sidecars: a file that
 * names it may have come back, or the sweep that took it away may have died before it looked once more.
 */
export async function emptyTrash(
  fs: FsPort,
  blobs: string,
  keeps: (blob: BlobFile) => boolean,
): Promise<{ emptied: Tally; restored: Tally }> {
  const [emptied, restored]: [BlobFile[], BlobFile[]] = [[], []]
  for (const folder of await trashFolders(fs, blobs)) {
    const files = await filesIn(fs, folder)
    const kept = new Set(
      files.filter((file) => kindOfName(file.name) === "blob" && keeps(file)).map(({ name }) => name),
    )
    for (const file of files) {
      const isKept = kept.has(hashInName(file.name))
      if (isKept) await restore(fs, join(folder, file.name), join(blobs, file.name))
      else await removeIfThere(fs, join(folder, file.name))
      if (kindOfName(file.name) === "blob") (isKept ? restored : emptied).push(file)
    }
    if (kept.size > 0) await syncFolder(fs, blobs)
    await removeTrash(fs, folder)
  }
  return { emptied: tallyOf(emptied), restored: tallyOf(restored) }
}

async function filesIn(fs: FsPort, folder: string): Promise<BlobFile[]> {
  const files: BlobFile[] = []
  for (const name of await namesInTrash(fs, folder)) {
    const file = await blobFile(fs, folder, name)
    if (file !== undefined) files.push(file)
  }
  return files
}
