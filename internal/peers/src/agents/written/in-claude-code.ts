import { isDeepStrictEqual } from "node:util"
import { ClaudeCodeStorage, writeClaudeCode } from "@treelog/agents/claude-code"
import { CodexStorage, writeCodex } from "@treelog/agents/codex"
import { type Session, type SessionContext, SessionManager } from "@treelog/session-core"
import { NAME, sampleSession } from "@treelog-internal/test-kit/copied-session"
import { Claude } from "../claude-code/claude.js"
import type { Findings, Scenario } from "../frame/agent.js"
import { compareBlocks } from "../frame/compare-blocks.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { blocksOfContext, blocksOfMessages, type Renaming } from "./said-blocks.js"

const LAST = "What is the last word?"

/** What Claude Code adds to each request by itself. */
const OWN = /^<system-reminder>/

/** A command of Claude Code that went through Codex has no description any more. */
const throughCodex: Renaming = (name, args) => (name === "Bash" ? [name, { command: args.command }] : [name, args])

/** Sessions of pi's form that are written for Claude Code: listed with their names, resumed by id, sent as they were, and read again. */
export const fromOthers: Scenario = {
  name: "from-others",
  async run(place, model): Promise<Findings> {
    const claude = new Claude(place, model)
    const differences: string[] = []
    for (const isCompacted of [false, true]) {
      const source = await sampleSession(place.project, isCompacted)
      const found = await tried(claude, model, source, "claude-code")
      differences.push(...found.map((one) => `${isCompacted ? "compacted" : "whole"}: ${one}`))
    }
    return { differences, unknown: [] }
  },
}

/** A session that was written for Codex, and from there for Claude Code: what its model gets is the same, but for what the receipts name. */
export const thereAndBack: Scenario = {
  name: "there-and-back",
  async run(place, model): Promise<Findings> {
    const claude = new Claude(place, model)
    const differences: string[] = []
    for (const isCompacted of [false, true]) {
      const source = await sampleSession(place.project, isCompacted)
      const copy = await writeCodex(source, { dir: place.home, from: "claude-code" })
      const sessions = new SessionManager({ storage: new CodexStorage({ dir: place.home, cacheDir: null }) })
      const there = await sessions.open(copy.path, { access: "read" })
      const found = await tried(claude, model, there, "codex", await source.readContext(), throughCodex)
      differences.push(...found.map((one) => `${isCompacted ? "compacted" : "whole"}: ${one}`))
    }
    return { differences, unknown: [] }
  },
}

/** Writes a session for Claude Code, finds it in its picker, resumes it, and reads it. @param sent what its model is to get */
async function tried(
  claude: Claude,
  model: ModelServer,
  source: Session,
  from: string,
  sent?: Pick<SessionContext, "messages">,
  renamed?: Renaming,
): Promise<string[]> {
  const differences: string[] = []
  const write = () => writeClaudeCode(source, { dir: claude.folder, from })
  const { id, path, receipt } = await write()
  const again = await write()
  if (again.id !== id || again.status !== "unchanged") differences.push(`written again, it is ${again.status}`)
  const terminal = claude.inTerminal("--resume")
  try {
    await terminal.shows(NAME)
  } finally {
    await terminal.close()
  }
  await claude.ask(LAST, "--resume", id)
  const messages = (model.requests.at(-1)?.messages ?? []) as Json[]
  const theirs = blocksOfMessages(messages.filter(({ role }) => role !== "system")).filter(
    ({ text }) => !OWN.test(String(text)),
  )
  const expected = blocksOfContext(sent ?? (await source.readContext()), renamed)
  differences.push(...compareBlocks(theirs, [...expected, { role: "user", text: LAST }]))
  const sessions = new SessionManager({ storage: new ClaudeCodeStorage({ dir: claude.folder, cacheDir: null }) })
  const session = await sessions.open(path, { access: "read" })
  const first = session.buildTranscript().length
  const said = session
    .buildSessionContext()
    .messages.slice(-1)
    .map(({ role }) => role)
  if (first === 0 || !isDeepStrictEqual(said, ["assistant"]))
    differences.push(`read at its end is ${JSON.stringify(said)}`)
  const after = await write()
  if (after.id !== id || after.status !== "continued") differences.push(`written after that, it is ${after.status}`)
  for (const [axis, { source: of, preserved, partial, evidence, dropped }] of Object.entries(receipt))
    if (of !== preserved + partial + evidence + dropped) differences.push(`the receipt of ${axis} does not add up`)
  return differences
}
