import { join, resolve } from "node:path"
import type { TreelogError } from "@treelog/session-core"
import { AgentSessionStorage } from "@treelog-internal/agent-files"
import { cacheFolderOf, type Env, type FsPort, homeOf, nodeFs, withoutTilde } from "@treelog-internal/fs"
import { CodexSource } from "./codex-source.js"

export interface CodexStorageOptions {
  /** Codex's folder, which contains `sessions`. Default: `CODEX_HOME`, or `~/.codex`. */
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
}

/**
 * The sessions of Codex, read where they are. A key is the absolute path of the first rollout of a session. Making one touches no disk;
 * using one writes nothing in Codex's folder.
 */
export class CodexStorage extends AgentSessionStorage {
  constructor({ dir, env = process.env, cacheDir, fs = nodeFs, ...options }: CodexStorageOptions = {}) {
    const source = new CodexSource({ dir: codexFolder(env, dir), fs })
    super({ ...options, source, fs, cacheDir: cacheDir === undefined ? cacheFolderOf(env) : absolute(cacheDir, env) })
  }
}

/** Codex's folder. An absolute path. */
export function codexFolder(env: Env = process.env, dir = env.CODEX_HOME): string {
  return dir ? resolve(withoutTilde(dir, homeOf(env))) : join(homeOf(env), ".codex")
}

function absolute(folder: string | null, env: Env): string | null {
  return folder === null ? null : resolve(withoutTilde(folder, homeOf(env)))
}
