import { isDeepStrictEqual } from "node:util"
import { CodexStorage, writeCodex } from "@treelog/agents/codex"
import { type Session, SessionManager } from "@treelog/session-core"
import { FIRST, NAME, sampleSession } from "@treelog-internal/test-kit/copied-session"
import { Codex } from "../codex/scenario.js"
import type { Findings, Scenario } from "../frame/agent.js"
import { compareBlocks } from "../frame/compare-blocks.js"
import type { Json } from "../model/blocks.js"
import { blocksOfContext, blocksOfInput, type Renaming } from "./said-blocks.js"

const LAST = "What is the last word?"

/** What Codex adds to each request by itself. */
const OWN = /^(?:<environment_context>|# AGENTS\.md|<user_instructions>)/

/** The names of Codex for calls of Claude Code. */
const renamed: Renaming = (name, args) => (name === "Bash" ? ["exec_command", { cmd: args.command }] : [name, args])

/** Sessions of Claude Code that are written for Codex: listed with their names, resumed by id, sent as they were, and read again. */
export const fromClaude: Scenario = {
  name: "from-claude",
  async run(place, model): Promise<Findings> {
    const codex = new Codex(place, model, "")
    const differences: string[] = []
    for (const isCompacted of [false, true]) {
      const source = await sampleSession(place.project, isCompacted)
      const found = await tried(codex, source)
      const sent = (model.requests.at(-1)?.input ?? []) as Json[]
      const context = await source.readContext()
      const theirs = blocksOfInput(sent).filter(({ role, text }) => role !== "developer" && !OWN.test(String(text)))
      const blocks = [
        ...compareBlocks(theirs, [...blocksOfContext(context, renamed), { role: "user", text: LAST }]),
        ...found,
      ]
      differences.push(...blocks.map((one) => `${isCompacted ? "compacted" : "whole"}: ${one}`))
    }
    return { differences, unknown: [] }
  },
}

/** Writes a session for Codex, finds it in its list, resumes it, and reads it. */
async function tried(codex: Codex, source: Session): Promise<string[]> {
  const differences: string[] = []
  const { id, path, receipt } = await writeCodex(source, { dir: codex.folder, from: "claude-code" })
  const again = await writeCodex(source, { dir: codex.folder, from: "claude-code" })
  if (again.id !== id || again.status !== "unchanged") differences.push(`written again, it is ${again.status}`)
  await codex.serving(async (server) => {
    const { data } = await server.call("thread/list", {})
    const listed = (data as Json[]).find((thread) => thread.id === id)
    if (listed?.preview !== FIRST || listed.name !== NAME) differences.push(`listed is ${JSON.stringify(listed)}`)
    const shown = JSON.stringify(await server.call("thread/resume", { threadId: id }))
    for (const said of [FIRST, "It is a constant.", "I am."])
      if (!shown.includes(said)) differences.push(`not on the screen: ${said}`)
  })
  await codex.ask("resume", id, LAST)
  const sessions = new SessionManager({ storage: new CodexStorage({ dir: codex.folder, cacheDir: null }) })
  const session = await sessions.open(path, { access: "read" })
  const { messages } = session.buildSessionContext()
  const said = messages.slice(-2).map(({ role }) => role)
  if (!isDeepStrictEqual(said, ["user", "assistant"])) differences.push(`read at its end are ${JSON.stringify(said)}`)
  const after = await writeCodex(source, { dir: codex.folder, from: "claude-code" })
  if (after.id !== id || after.status !== "continued") differences.push(`written after that, it is ${after.status}`)
  for (const [axis, { source: of, preserved, partial, evidence, dropped }] of Object.entries(receipt))
    if (of !== preserved + partial + evidence + dropped) differences.push(`the receipt of ${axis} does not add up`)
  return differences
}
