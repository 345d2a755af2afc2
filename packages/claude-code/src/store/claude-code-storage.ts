import { join, resolve } from "node:path"
import type { TreelogError } from "@treelog/session-core"
import { AgentSessionStorage } from "@treelog-internal/agent-files"
import { cacheFolderOf, type Env, type FsPort, homeOf, nodeFs, withoutTilde } from "@treelog-internal/fs"
import { ClaudeCodeSource } from "./claude-code-source.js"

export interface ClaudeCodeStorageOptions {
  /** Claude Code's folder, which contains `projects`. Default: `CLAUDE_CONFIG_DIR`, or `~/.claude`. */
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
 * The sessions of Claude Code, read where they are. A key is the absolute path of a session file. Making one touches no disk; using one
 * writes nothing in Claude Code's folder.
 */
export class ClaudeCodeStorage extends AgentSessionStorage {
  constructor({ dir, env = process.env, cacheDir, fs = nodeFs, ...options }: ClaudeCodeStorageOptions = {}) {
    const source = new ClaudeCodeSource(claudeCodeFolder(env, dir), fs)
    super({ ...options, source, fs, cacheDir: cacheDir === undefined ? cacheFolderOf(env) : absolute(cacheDir, env) })
  }
}

/** Claude Code's folder. An absolute path. */
export function claudeCodeFolder(env: Env = process.env, dir = env.CLAUDE_CONFIG_DIR): string {
  return dir ? resolve(withoutTilde(dir, homeOf(env))) : join(homeOf(env), ".claude")
}

function absolute(folder: string | null, env: Env): string | null {
  return folder === null ? null : resolve(withoutTilde(folder, homeOf(env)))
}
