import type { AgentDefinition } from "@treelog/agents/kit"
import type { Env } from "@treelog/storage-fs"

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

/** Agents whose definitions are in files that the user named. */
export interface PlugIns {
  readonly definitions: readonly AgentDefinition[]
  /** The files that cannot be used, and why: the sessions of their agents are not read. */
  readonly faults: readonly PlugInFault[]
}

/** A file without a definition that can be used. */
export interface PlugInFault {
  /** An absolute path. */
  readonly path: string
  readonly error: Error
}
