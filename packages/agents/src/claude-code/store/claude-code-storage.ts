import { type AgentFolderOptions, AgentSessionStorage, agentFolder, cacheOptions } from "@treelog-internal/agent-files"
import { type Env, nodeFs } from "@treelog-internal/fs"
import { ClaudeCodeSource } from "./claude-code-source.js"

/** `dir` is the folder that contains `projects`. Default: `CLAUDE_CONFIG_DIR`, or `~/.claude`. */
export type ClaudeCodeStorageOptions = AgentFolderOptions

/**
 * The sessions of Claude Code, read where they are. A key is the absolute path of a session file. Making one touches no disk; using one
 * writes nothing in Claude Code's folder.
 */
export class ClaudeCodeStorage extends AgentSessionStorage {
  constructor(options: ClaudeCodeStorageOptions = {}) {
    const { dir, env = process.env, fs = nodeFs } = options
    super({ ...cacheOptions(options), source: new ClaudeCodeSource(claudeCodeFolder(env, dir), fs) })
  }
}

/** Claude Code's folder. An absolute path. */
export function claudeCodeFolder(env: Env = process.env, dir = env.CLAUDE_CONFIG_DIR): string {
  return agentFolder(env, dir, ".claude")
}
