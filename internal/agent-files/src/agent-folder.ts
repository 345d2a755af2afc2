import { join, resolve } from "node:path"
import type { TreelogError } from "@treelog/session-core"
import { cacheFolderOf, type Env, type FsPort, homeOf, nodeFs, withoutTilde } from "@treelog-internal/fs"
import type { AgentSource } from "./agent-source.js"

/** Options of the storage of one agent. */
export interface AgentFolderOptions {
  /** The agent's folder. Default: the one that its variable of the environment names, or its own in the home folder. */
  readonly dir?: string | undefined
  /** Default: `process.env`. */
  readonly env?: Env
  /**
   * Where converted sessions and lists are kept. Default: `TREELOG_CACHE_DIR`, or a folder of treelog's where the platform keeps caches.
   * `null` keeps them in memory.
   */
  readonly cacheDir?: string | null | undefined
  /** Limit of the converted sessions in the cache. Bytes; default 2 GB. */
  readonly maxCacheBytes?: number | undefined
  /** The file system; Node's by default. */
  readonly fs?: FsPort | undefined
  /** Called once, with the first reason why the cache cannot be read or written. */
  readonly onCacheError?: ((error: TreelogError<"StorageError">) => void) | undefined
  /** That the folder has kept copies of sessions, and of which storage: of these, those are listed that have what that has no more. */
  readonly keptOf?: KeptOf | undefined
}

/** What kept copies are copies of. */
export interface KeptOf {
  readonly storage: { readonly source: AgentSource }
  /** Whether the file at a path still has all that its copy has. */
  readonly hasAllOf: (path: string, copy: string) => Promise<boolean>
}

/** The folder of an agent. @param own its folder in the home folder. @returns an absolute path */
export function agentFolder(env: Env, dir: string | undefined, own: string): string {
  return dir ? resolve(withoutTilde(dir, homeOf(env))) : join(homeOf(env), own)
}

/** What the options amount to, but for the folder. */
export function cacheOptions({
  env = process.env,
  cacheDir,
  fs = nodeFs,
  maxCacheBytes,
  onCacheError,
  keptOf,
}: AgentFolderOptions) {
  const cache = cacheDir === undefined ? cacheFolderOf(env) : cacheDir && resolve(withoutTilde(cacheDir, homeOf(env)))
  return { cacheDir: cache, fs, maxCacheBytes, onCacheError, keptOf }
}
