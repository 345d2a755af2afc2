import type { Env } from "@treelog/storage-fs"
import type { PlugIns } from "./plug-ins.js"

/** What names of stores depend on. */
export interface Surroundings {
  readonly env: Env
  /** The folder that relative paths start from. An absolute path. */
  readonly cwd: string
  /** In WSL, where Windows has a folder for each of its users. An absolute path. Default: `/mnt/c/Users`. */
  readonly windowsUsers?: string
  /** Agents beside those that treelog knows: see `loadPlugIns`. */
  readonly plugIns?: PlugIns
}
