import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

let home: Promise<string> | undefined

/** A new folder that is away from the repository, so that nothing in it finds the packages of the workspace. */
export async function temporaryFolder(name: string): Promise<string> {
  // Package managers and Node name files by their real paths.
  home ??= realpath(tmpdir()).then((folder) => mkdtemp(join(folder, "treelog-published-")))
  return mkdtemp(join(await home, `${name}-`))
}

/** For the head of a file of tests: its folders go when all of them are done. */
export function removeFoldersAfterAll(): void {
  afterAll(async () => {
    if (home === undefined) return
    const folder = await home
    home = undefined
    await rm(folder, { recursive: true, force: true })
  })
}
