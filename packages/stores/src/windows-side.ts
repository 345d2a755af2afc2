import { readdirSync } from "node:fs"
import { join } from "node:path"
import { isErrno, toStorageError } from "@treelog-internal/fs"
import type { Surroundings } from "./surroundings.js"

/** What a person has on the Windows beside this Linux, as WSL mounts it. */
export interface WindowsSide {
  /** Behind the colon of the names of stores there. */
  readonly name: string
  /** What names of stores depend on there. */
  readonly surroundings: Surroundings
}

/** Of each person, the longer names first. @throws StorageError */
export function windowsSides({ windowsUsers = "/mnt/c/Users", plugIns }: Surroundings): WindowsSide[] {
  return usersIn(windowsUsers).map((user) => {
    const home = join(windowsUsers, user)
    const env = { HOME: home, APPDATA: join(home, "AppData/Roaming"), LOCALAPPDATA: join(home, "AppData/Local") }
    return { name: `windows-${user}`, surroundings: { env, cwd: home, ...(plugIns && { plugIns }) } }
  })
}

/** Windows has links with old names beside the folders of users. */
function usersIn(folder: string): string[] {
  try {
    const users = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    return users.map(({ name }) => name).sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  } catch (error) {
    // Without WSL, what is mounted may be closed to everybody else.
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES")) return []
    throw toStorageError(error, folder, "list")
  }
}
