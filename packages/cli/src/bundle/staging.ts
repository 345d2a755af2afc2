import { randomBytes } from "node:crypto"
import { statfs } from "node:fs/promises"
import { join } from "node:path"
import { FOLDER_MODE, type FsPort, lstatIfThere, makeFolder, withStorageErrors } from "@treelog-internal/fs"

// A bundle is unpacked and verified here, readable by the owner alone, before anything of it is stored. A killed command leaves the
// folder. The next one removes it after a day: no listing shows it, since it is beside the sessions.

const NAME = /^unbundle\.[0-9a-f]{16}\.tmp$/
/** Milliseconds. */
const ABANDONED = 24 * 60 * 60 * 1000

/** Does the work with a new folder, and removes the folder. @param parent an absolute path */
export async function withStaging<Result>(
  fs: FsPort,
  parent: string,
  work: (folder: string, free: number) => Promise<Result>,
): Promise<Result> {
  const folder = join(parent, `unbundle.${randomBytes(8).toString("hex")}.tmp`)
  const free = await withStorageErrors(folder, "write", async () => {
    makeFolder(fs, parent)
    await removeAbandoned(fs, parent)
    await fs.mkdir(folder, { recursive: false, mode: FOLDER_MODE })
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  })
  try {
    return await work(folder, free)
  } finally {
    await withStorageErrors(folder, "remove", () => fs.rm(folder, { recursive: true, force: true }))
  }
}

async function removeAbandoned(fs: FsPort, parent: string): Promise<void> {
  for (const { name } of await fs.readdir(parent)) {
    if (!NAME.test(name)) continue
    const stat = await lstatIfThere(fs, join(parent, name))
    const age = Date.now() - Number((stat?.mtimeNs ?? 0n) / 1_000_000n)
    if (stat && Math.abs(age) > ABANDONED) await fs.rm(join(parent, name), { recursive: true, force: true })
  }
}
