import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/treelog", import.meta.url))

/**
 * A folder that is kept for later runs. It appears when it is complete: other processes never see a part of it.
 * @param name changes when other contents are needed
 * @param fill called if the folder does not exist
 */
export async function cachedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, name)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(join(CACHE, "unfinished-"))
  await fill(unfinished)
  try {
    await rename(unfinished, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
    await rm(unfinished, { recursive: true })
  }
  return folder
}
