import { type AgentFolderOptions, AgentSessionStorage, agentFolder, cacheOptions } from "@treelog-internal/agent-files"
import { type Env, nodeFs } from "@treelog-internal/fs"
import { CodexSource } from "./codex-source.js"
import type { TitleOptions } from "./state-titles.js"

/** `dir` is the folder that contains `sessions`. Default: `CODEX_HOME`, or `~/.codex`. */
export interface CodexStorageOptions extends AgentFolderOptions, TitleOptions {}

/**
 * The sessions of Codex, read where they are. A key is the absolute path of the first rollout of a session. Making one touches no disk;
 * using one writes nothing in Codex's folder.
 */
export class CodexStorage extends AgentSessionStorage {
  constructor(options: CodexStorageOptions = {}) {
    const { dir, env = process.env, fs = nodeFs, loadDriver, onTitlesError } = options
    const folder = codexFolder(env, dir)
    const stateDir = codexFolder(env, dir ?? (env.CODEX_SQLITE_HOME || folder))
    const source = new CodexSource({ dir: folder, stateDir, fs, loadDriver, onTitlesError })
    super({ ...cacheOptions(options), source })
  }
}

/** Codex's folder. An absolute path. */
export function codexFolder(env: Env = process.env, dir = env.CODEX_HOME): string {
  return agentFolder(env, dir, ".codex")
}
