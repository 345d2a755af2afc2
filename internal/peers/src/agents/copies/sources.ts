import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import type { WriteSessionOptions } from "@treelog/agents/claude-code"
import { isEntry, MemorySessionStorage, type Session, type SessionEntry, SessionManager } from "@treelog/session-core"
import { kindOf } from "@treelog/session-core/adapter"
import { toOpenAIInput } from "@treelog/session-core/messages"
import { sampleSession } from "@treelog-internal/test-kit/copied-session"
import { everyKindSession } from "@treelog-internal/test-kit/generator"
import type { Block } from "../frame/compare-blocks.js"
import { collected } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import { PIXEL } from "../model/pixel.js"
import { sessionsIn } from "./agent-sessions.js"
import { blocksOfContext, blocksOfInput } from "./said-blocks.js"
import { transcriptsOf } from "./sub-agents.js"

/** A session that is copied, at one of its ends. */
export interface SourceSession {
  /** Of the scenario that recorded it. */
  readonly name: string
  readonly session: Session
  /** Of its sub-agents. */
  readonly transcripts?: WriteSessionOptions["transcripts"]
  /** The agent whose names its calls have. */
  readonly from: string
  readonly leaf: string
  /** Whether it is the first end of the session that is copied. */
  readonly isFirst: boolean
}

/** Where the sessions of a row come from. */
export interface Source {
  /** As stores name the agent. */
  readonly agent: string
  /** Its command; undefined where no program recorded them. */
  readonly program?: string
  /** The scenarios of `check-agents` that record them, those with the most in them first. */
  readonly scenarios: readonly string[]
  /** What it adds to each request by itself, and stores. */
  readonly own: RegExp
}

/** Agents whose sessions are copied, as they recorded them. */
export const SOURCES: readonly Source[] = [
  {
    agent: "claude-code",
    program: "claude",
    scenarios: ["talk", "pieces", "rewind", "edits"],
    own: /^<system-reminder>/,
  },
  {
    agent: "codex",
    program: "codex",
    scenarios: ["compaction", "tools", "killed", "edits", "agents"],
    own: /^(?:<environment_context>|<permissions instructions>|<multi_agent|# AGENTS\.md|<user_instructions>)/,
  },
  {
    agent: "gemini",
    program: "gemini",
    scenarios: ["talk", "at-work", "tools", "killed"],
    own: /^<session_context>/,
  },
  {
    agent: "qwen",
    program: "qwen",
    scenarios: ["talk", "compaction", "tools", "killed"],
    own: /^<system-reminder>/,
  },
  {
    agent: "opencode",
    program: "opencode",
    scenarios: ["talk", "compaction", "killed", "models"],
    own: /^<system-reminder>/,
  },
  { agent: "copilot", program: "copilot", scenarios: ["at-work", "tools", "odd", "talk"], own: /^<system_reminder>/ },
  { agent: "pi", program: "pi", scenarios: ["talk", "compaction", "going-back"], own: /^$/ },
  { agent: "treelog", scenarios: ["compacted", "every-kind", "sample"], own: /^$/ },
]

/** How many ends of a session are copied. */
const ENDS = 2

/**
 * The sessions of a scenario, each at the end of its branches and before its first compaction.
 * @param folder of the scenario
 */
export async function sourceSessions(source: Source, scenario: string, folder: string): Promise<SourceSession[]> {
  const sessions =
    source.program === undefined ? [{ session: await madeSession(scenario, folder) }] : await recorded(source, folder)
  return sessions.flatMap(({ session, ...more }) => {
    // What was made for the sample has the names of Claude Code.
    const from = scenario === "sample" || scenario === "compacted" ? "claude-code" : source.agent
    return endsOf(session).map((leaf, at) => ({ name: scenario, session, ...more, from, leaf, isFirst: at === 0 }))
  })
}

/** Of a session that was recorded in a folder, where it is. */
export function isRecorded({ program }: Source, folder: string): boolean {
  return program === undefined || existsSync(join(folder, "home"))
}

async function recorded({ agent }: Source, folder: string): Promise<Pick<SourceSession, "session" | "transcripts">[]> {
  const storage = await sessionsIn(agent, join(folder, "home"))
  const manager = new SessionManager({ storage })
  const listed = await collected(manager.listAll())
  const said = listed.filter(({ error, messageCount }) => !error && messageCount !== 0)
  return Promise.all(
    said.map(async ({ path }) => ({
      session: await manager.open(path, { access: "read" }),
      transcripts: transcriptsOf(storage, path),
    })),
  )
}

/** Images of the generator are no pictures that a program can read. */
const IMAGE = /("type":"image","data":")[^"]*"/g

async function madeSession(scenario: string, folder: string): Promise<Session> {
  const cwd = join(folder, "project")
  mkdirSync(cwd, { recursive: true })
  if (scenario !== "every-kind") return sampleSession(cwd, scenario === "compacted")
  const lines = everyKindSession(1, 5_000).lines.map((line) => line.replaceAll(IMAGE, `$1${PIXEL}"`))
  const [header, ...entries] = lines.map((line) => JSON.parse(line))
  return new SessionManager({ storage: new MemorySessionStorage() }).inMemory(cwd, {
    header: { ...header, cwd },
    entries,
  })
}

function endsOf(session: Session): string[] {
  const path = session.getBranch()
  const compaction = path.findIndex(({ type }) => type === "compaction")
  const last = path.filter((entry) => kindOf(entry).conversation).at(-1)
  const parents = new Set(session.getEntries().map(({ parentId }) => parentId))
  const isReply = (entry: SessionEntry): boolean => isEntry(entry, "message") && entry.message.role === "assistant"
  const leaves = session.getEntries().filter((entry) => isReply(entry) && !parents.has(entry.id))
  const ends = new Set([...(last ? [last.id] : []), ...leaves.map(({ id }) => id)])
  const before = path[compaction - 1]
  if (before) ends.add(before.id)
  // A session can be of a command alone, such as one that failed.
  return [...ends].filter((id) => session.getBranch(id).some(isReply)).slice(0, ENDS)
}

/** What the agent of a session would send of it. */
export async function blocksOfSource({ session, from, leaf }: SourceSession): Promise<Block[]> {
  const { messages } = await session.readContext({ leafId: leaf, ...(from === "codex" && { provider: "local" }) })
  if (from !== "codex") return blocksOfContext(messages)
  const input = toOpenAIInput(messages, { target: { provider: "local" } }) as unknown as Json[]
  let at = 0
  let isAnswer = false
  const blocks = input.flatMap((item): Block[] => {
    const wasAnswer = isAnswer
    isAnswer = item.role === "assistant" || String(item.type).endsWith("_call")
    if (!(isAnswer && wasAnswer)) at++
    return blocksOfInput([item]).map((block) => ({ ...block, at }))
  })
  return blocks.filter(({ role, text }) => role !== "developer" && text !== BETWEEN_ANSWERS)
}

/** What treelog puts between two answers, for APIs that take none. */
const BETWEEN_ANSWERS = "[The answer above ended here.]"
