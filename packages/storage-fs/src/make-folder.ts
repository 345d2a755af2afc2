import { dirname, sep } from "node:path"
import type { FsPort } from "./fs-port.js"

export const FOLDER_MODE = 0o700
export const FILE_MODE = 0o600

/** Makes the folder and those above it where they are missing. Resolves to the folders that got a new name in them. */
export async function makeFolder(fs: FsPort, folder: string): Promise<string[]> {
  const first = await fs.mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  if (first === undefined) return []
  const changed: string[] = []
  for (let made = folder; depthOf(made) >= depthOf(first) && made !== dirname(made); made = dirname(made)) {
    changed.push(dirname(made))
  }
  return changed
}

function depthOf(path: string): number {
  return path.split(sep).length
}
