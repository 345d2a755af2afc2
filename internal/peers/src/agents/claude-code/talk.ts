import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { ClaudeCodeStorage } from "@treelog/claude-code"
import { type Session, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import type { Findings, Scenario } from "../frame/agent.js"
import { type AgentPlace, collected, runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

const TOOLS = "Bash,Write,Agent"
const TURNS = [
  'CALL Bash {"command":"echo one","description":"one"}\nCALL Bash {"command":"echo two","description":"two"}',
  'CALL Agent {"description":"look","prompt":"Look around","subagent_type":"general-purpose"}',
  "/compact",
  'CALL Write {"file_path":"new.txt","content":"new"}',
  "What now?",
]

/** A conversation with calls, a sub-agent, a compaction and a fork. */
export const talk: Scenario = { name: "talk", run }

async function run(at: AgentPlace, model: ModelServer): Promise<Findings> {
  const env = {
    ...at.env,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  }
  const place = { ...at, env }
  const ask = async (prompt: string, ...args: string[]): Promise<string> =>
    JSON.parse(await runAgent(place, "claude", ["-p", prompt, "--output-format", "json", ...args])).session_id
  const first = await ask("How many are there?", "--allowedTools", TOOLS)
  for (const turn of TURNS) await ask(turn, "--resume", first, "--allowedTools", TOOLS)
  const sent = model.requests.at(-1)
  const fork = await ask("Another way?", "--resume", first, "--fork-session")
  const requests = new Map([
    [first, sent],
    [fork, model.requests.at(-1)],
  ])

  const faults: string[] = []
  const storage = new ClaudeCodeStorage({ dir: join(place.home, ".claude"), cacheDir: null })
  const sessions = new SessionManager({ storage })
  const listed = await collected(sessions.list(place.project))
  const ids = listed.map(({ id }) => id).sort()
  if (!isDeepStrictEqual(ids, [first, fork].sort())) faults.push(`listed ${ids}, not ${first} and ${fork}`)
  const beginning = listed.find(({ id }) => id === first)?.firstMessage
  if (beginning !== "How many are there?") faults.push(`it begins with ${beginning}`)
  for (const { path, id } of listed) {
    const session = await sessions.open(path, { access: "read" })
    const found = (await verifySession(sessions, path)).diagnostics.map(({ message }) => message)
    if (!session.getEntries().some(({ type }) => type === "compaction")) found.push("no compaction")
    found.push(...missing(session, requests.get(id) ?? {}))
    faults.push(...found.map((fault) => `${id === fork ? "fork: " : ""}${fault}`))
  }
  const agents: string[] = []
  for await (const { name } of storage.artifacts(listed.find(({ id }) => id === first)?.path ?? ""))
    if (name.endsWith(".jsonl")) agents.push(name)
  if (agents.length !== 1) faults.push(`${agents.length} sub-agents, not 1`)
  return { differences: faults, unknown: [] }
}

/** What Claude Code adds to what was said, and keeps as attachments. */
const INSTRUCTIONS = /^text (<system-reminder>|The following deferred tools|$)/

/** What was sent and is not in the context, or stands there in another order. */
function missing(session: Session, { messages }: Json): string[] {
  const context = session.buildSessionContext().messages as unknown as Json[]
  const ours = context.flatMap(({ role, content, toolCallId, summary }) =>
    role === "toolResult"
      ? [`result ${toolCallId}`]
      : summary !== undefined
        ? [textSign(summary)]
        : blocksOf(content).map(signOf),
  )
  let at = 0
  const faults: string[] = []
  for (const { content } of messages as Json[])
    for (const sign of blocksOf(content).map(signOf)) {
      if (INSTRUCTIONS.test(sign)) continue
      const found = ours.findIndex((one, index) => index >= at && (one === sign || isSummaryIn(sign, one)))
      if (found === -1) faults.push(`not in the context: ${JSON.stringify(sign.slice(0, 200))}`)
      else at = found + 1
    }
  return faults
}

/** The model gets a summary with words around it. */
function isSummaryIn(sent: string, ours: string): boolean {
  return (
    sent.startsWith("text This session is being continued") && ours.startsWith("text This session is being continued")
  )
}

/** A block in a few words, the same for what is stored and what was sent. */
function signOf({ type, text, thinking, id, tool_use_id }: Json): string {
  if (type === "tool_use" || type === "toolCall") return `call ${id}`
  if (type === "tool_result") return `result ${tool_use_id}`
  return type === "thinking" ? `thinking ${thinking}` : textSign(text)
}

function textSign(text: unknown): string {
  return `text ${String(text).trim()}`
}
