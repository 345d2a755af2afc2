import { join } from "node:path"
import { FOLDER_MODE, type FsPort, fileChunks, syncFolder } from "@treelog-internal/fs"
import { writeTemp } from "./temp-file.js"

/**
 * Copies a folder with all that is in it, durably, readable by the owner alone. A symbolic link is copied as a link,
 * so nothing from outside the folder comes along; pipes and devices hold no bytes and stay behind.
 */
export async function copyTree(fs: FsPort, from: string, to: string): Promise<void> {
  await fs.mkdir(to, { recursive: true, mode: FOLDER_MODE })
  for (const entry of await fs.readdir(from)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(fs, source, target)
    else if (entry.isSymbolicLink()) await fs.symlink(await fs.readlink(source), target)
    else if (entry.isFile()) await writeTemp(fs, target, fileChunks(fs, source), { unlike: new Set() })
  }
  await syncFolder(fs, to)
}
