import { dirname } from "node:path"
import { type FsPort, isErrno } from "@treelog-internal/fs"

/** Removes the folder that a session had in the trash, and the trash itself, each unless something is in it. */
export async function removePlace(fs: FsPort, place: string): Promise<void> {
  for (const folder of [place, dirname(place)]) {
    try {
      await fs.rmdir(folder)
    } catch (error) {
      if (isErrno(error, "ENOTEMPTY", "EEXIST")) return
      if (!isErrno(error, "ENOENT")) throw error
    }
  }
}
