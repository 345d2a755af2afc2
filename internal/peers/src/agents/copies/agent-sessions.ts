import { join } from "node:path"
import { type AgentName, openAgent, type WrittenAgentName, writeAgentSession } from "@treelog/agents"
import {
  ClaudeCodeStorage,
  type WriteSessionOptions,
  type WrittenSession,
  writeClaudeCode,
} from "@treelog/agents/claude-code"
import { CodexStorage, writeCodex } from "@treelog/agents/codex"
import { loadDriver } from "@treelog/index-sqlite"
import type { Session, SessionSource } from "@treelog/session-core"
import { FileSessionStorage } from "@treelog/storage-fs"

/** The sessions of an agent in a home. */
export async function sessionsIn(agent: string, home: string): Promise<SessionSource> {
  const options = { env: { HOME: home }, cacheDir: null } as const
  if (agent === "codex") return new CodexStorage(options)
  if (agent === "claude-code") return new ClaudeCodeStorage(options)
  if (agent === "pi")
    return new FileSessionStorage({ agentDir: join(home, ".pi", "agent"), preset: agent, cacheDir: null })
  return openAgent(agent as AgentName, { ...options, loadDriver })
}

/** Writes a session for another agent. */
export function writeFor(agent: string, session: Session, options: WriteSessionOptions): Promise<WrittenSession> {
  if (agent === "codex") return writeCodex(session, options)
  if (agent === "claude-code") return writeClaudeCode(session, options)
  return writeAgentSession(agent as WrittenAgentName, session, options)
}
