import { join } from "node:path"
import { ClaudeCodeStorage } from "@treelog/agents/claude-code"
import { SessionManager, type SessionSource } from "@treelog/session-core"
import { lastReply } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import type { Findings } from "../frame/agent.js"
import { compareBlocks } from "../frame/compare-blocks.js"
import { collected } from "../frame/run-agent.js"
import { type Json, textOf } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import type { Claude } from "./claude.js"
import { sentBlocks } from "./sent-blocks.js"
import { unknownFields } from "./unknown-fields.js"

const LAST = "What is the last word?"
/** What Claude Code lets the model say where the last turn was not answered, once it goes on. */
const UNANSWERED = "No response requested."

/**
 * Resumes each session of a home, and compares what the model gets with the context that treelog reads: of the session as it was before,
 * with the prompt behind it, and of what it has become.
 * @param args of the client
 */
export async function checkSessions(
  claude: Claude,
  model: ModelServer,
  args: readonly string[] = [],
): Promise<Findings> {
  const storage = new ClaudeCodeStorage({ dir: claude.folder, cacheDir: null })
  const sessions = new SessionManager({ storage })
  const differences: string[] = []
  const unknown = new Set<string>()
  const listed = await collected(sessions.listAll())
  for (const { id, path } of listed) {
    const add = (found: readonly string[], when: string): void => {
      for (const one of found) differences.push(`${listed.length > 1 ? `${id} ` : ""}${when}: ${one}`)
    }
    const before = await contextOf(sessions, path)
    await claude.ask(LAST, "--resume", id, ...args)
    const sent = (model.requests.at(-1)?.messages ?? []) as Json[]
    const end = sent.map(({ content }) => JSON.stringify(content).includes(LAST)).lastIndexOf(true)
    const lastOf = (messages: readonly Json[]): number => messages.map(({ role }) => role).lastIndexOf("assistant")
    const said = sent.slice(0, end).filter(({ content }, at) => at < before.length || textOf(content) !== UNANSWERED)
    add(compareBlocks(sentBlocks(said), sentBlocks(before)), "before")
    const after = await contextOf(sessions, path)
    add(compareBlocks(sentBlocks(sent), sentBlocks(after.slice(0, lastOf(after)))), "after")
    const { diagnostics } = await verifySession(sessions, path)
    add(
      diagnostics.map(({ message }) => message),
      "verify",
    )
    for (const kind of (await storage.report(path)).unknownKinds) unknown.add(kind)
  }
  for (const name of await unknownFields(join(claude.folder, "projects"))) unknown.add(name)
  return { differences, unknown: [...unknown] }
}

async function contextOf(sessions: SessionManager<SessionSource>, path: string): Promise<Json[]> {
  const { messages } = await sessions.readContext(path)
  const target = { provider: "anthropic", model: lastReply(messages)?.model }
  return toAnthropicMessages(messages, { repair: false, target }).messages as unknown as Json[]
}
