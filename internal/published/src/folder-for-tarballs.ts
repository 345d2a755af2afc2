import { mkdir, readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { ROOT } from "./root.js"

const CACHE = join(ROOT, "node_modules", ".cache", "treelog", "packed")

/** A folder that is this process's, and serves all of its tests. What earlier processes left there goes. */
export async function folderForTarballs(): Promise<string> {
  const folder = join(CACHE, String(process.pid))
  await mkdir(folder, { recursive: true })
  const ended = (await readdir(CACHE)).filter((name) => !isRunning(Number(name)))
  await Promise.all(ended.map((name) => rm(join(CACHE, name), { recursive: true, force: true })))
  return folder
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, for another user.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
