import { type FsPort, lstatIfThere } from "@treelog-internal/fs"

/**
 * The file that a key leads to. A session that is a symbolic link is locked, replaced and kept where its file is, so
 * that all who reach the file exclude each other, and the link stays.
 */
export async function realPath(fs: FsPort, key: string): Promise<string> {
  const found = await lstatIfThere(fs, key)
  return found?.isSymbolicLink() ? fs.realpath(key) : key
}
