import { foldSessionSummary, query } from "@anthropic-ai/claude-agent-sdk"
import { ClaudeSessionStore } from "@treelog/agent-sdks/claude"
import { FileSessionStorage } from "@treelog/storage-fs"

const storage = new FileSessionStorage({ agentDir: "./agent" })
const sessionStore = new ClaudeSessionStore({ storage, foldSessionSummary })

export const answer = (prompt: string, resume?: string) =>
  query({ prompt, options: { sessionStore, ...(resume !== undefined && { resume }) } })
