import { type FsPort, lstatIfThere, renameNew } from "@treelog-internal/fs"
import { sessionNotFound } from "./session-errors.js"
import { besideName } from "./session-name.js"

/**
 * Renames the file to its path with the suffix, and a number where that is taken. Resolves to the name.
 * @throws SessionNotFoundError
 */
export async function quarantine(fs: FsPort, path: string, suffix: string): Promise<string> {
  if ((await lstatIfThere(fs, path)) === undefined) throw sessionNotFound(path)
  for (let number = 1; ; number++) {
    const name = besideName(path, suffix, number)
    if (await renameNew(fs, path, name)) return name
  }
}
