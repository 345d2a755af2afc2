import { dirname, sep } from "node:path"
import type { FsPort } from "./fs-port.js"
import { syncFolder } from "./sync-folder.js"

export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/** Makes the folder and those above it where they are missing, durably. */
export async function makeFolder(fs: FsPort, folder: string): Promise<void> {
  const first = await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined) return
  for (let made = folder; depthOf(made) >= depthOf(first) && made !== dirname(made); made = dirname(made)) {
    await syncFolder(fs, dirname(made))
  }
}

function depthOf(path: string): number {
  return path.split(sep).length
}
