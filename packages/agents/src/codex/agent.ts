import {
  type AgentFolderOptions,
  AgentSessionStorage,
  agentFolder,
  type SourceDefinition,
  storageOptions,
} from "@treelog-internal/agent-files"
import { codex } from "./place.js"
import { CodexSource } from "./source/codex-source.js"
import type { TitleOptions } from "./source/state-titles.js"

/** `dir` is the folder that contains `sessions`. Default: `CODEX_HOME`, or `~/.codex`. */
export interface CodexStorageOptions extends AgentFolderOptions, TitleOptions {}

export const agent: SourceDefinition<CodexStorageOptions> = {
  place: codex,
  source(folder, { dir, env = process.env, ...options }) {
    const stateDir = agentFolder(env, codex, dir ?? (env.CODEX_SQLITE_HOME || folder))
    return new CodexSource({ ...options, dir: folder, stateDir })
  },
}

/**
 * The sessions of Codex, read where they are. A key is the absolute path of the first rollout of a session. Making one touches no disk;
 * using one writes nothing in Codex's folder.
 */
export class CodexStorage extends AgentSessionStorage {
  constructor(options: CodexStorageOptions = {}) {
    super(storageOptions(agent, options))
  }
}
