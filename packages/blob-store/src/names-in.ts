import { type FsPort, isErrno } from "@treelog-internal/fs"

/** The names in a folder; none when it is not there. */
export async function namesIn(fs: FsPort, folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).map(({ name }) => name)
  } catch (error) {
    if (isErrno(error, "ENOENT")) return []
    throw error
  }
}
