import {
  type AgentFolderOptions,
  AgentSessionStorage,
  type SourceDefinition,
  storageOptions,
} from "@treelog-internal/agent-files"
import { nodeFs } from "@treelog-internal/fs"
import { claudeCode } from "./place.js"
import { ClaudeCodeSource } from "./store/claude-code-source.js"

export const agent: SourceDefinition<ClaudeCodeStorageOptions> = {
  place: claudeCode,
  source: (folder, { fs = nodeFs, sessions }) => new ClaudeCodeSource(folder, fs, sessions),
}

/** `dir` is the folder that contains `projects`. Default: `CLAUDE_CONFIG_DIR`, or `~/.claude`. */
export interface ClaudeCodeStorageOptions extends AgentFolderOptions {
  /** What has the sessions in `dir`: `projects`, or in the folder of the app of Claude `local-agent-mode-sessions`. Default: `projects`. */
  readonly sessions?: string | undefined
}

/**
 * The sessions of Claude Code, read where they are. A key is the absolute path of a session file. Making one touches no disk; using one
 * writes nothing in Claude Code's folder.
 */
export class ClaudeCodeStorage extends AgentSessionStorage {
  constructor(options: ClaudeCodeStorageOptions = {}) {
    super(storageOptions(agent, options))
  }
}
