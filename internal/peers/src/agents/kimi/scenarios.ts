import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { SessionManager } from "@treelog/session-core"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, collected, killAgent, runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { call, HANG } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"

const MODEL = "claude-sonnet-4-5"
const FIRST = "Why is it wrong?"

/** Calls that succeed and fail, a picture, and a sub-agent, in a session that is gone on with. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const prompts = [
      FIRST,
      `${call("Bash", { command: "echo one" })}\n${call("Read", { path: file })}`,
      call("Read", { path: join(place.project, "none.txt") }),
      call("ReadMediaFile", { path: join(place.project, "pixel.png") }),
      call("Agent", { description: "Find it", prompt: INNER }),
      call("Bash", { command: "true" }),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) await ask(place, model, prompt, at > 0)
    return compare(place, model, [FIRST], [lastFor(model)])
  },
}

/** A large picture, which is a file of its own, a tool of MCP with a picture, one that fails, an unknown tool, and a long output. */
export const tools: Scenario = {
  name: "tools",
  async run(place, model) {
    const home = join(place.home, ".kimi-code")
    mkdirSync(home, { recursive: true })
    const server = { command: process.execPath, args: [writeToolServer(place.home)] }
    writeFileSync(join(home, "mcp.json"), JSON.stringify({ mcpServers: { local: server } }))
    writeFileSync(join(place.project, "large.png"), Buffer.concat([Buffer.from(PIXEL, "base64"), Buffer.alloc(6_000)]))
    const prompts = [
      FIRST,
      `${call("mcp__local__look", {})}\n${call("mcp__local__fail", {})}`,
      `${call("ReadMediaFile", { path: join(place.project, "large.png") })}\n${call("unknown_tool", {})}`,
      call("Bash", { command: "seq 1 60000" }),
      call("AgentSwarm", { description: "Find", prompt_template: `${INNER} {{item}}`, items: ["one", "two"] }),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) await ask(place, model, prompt, at > 0)
    return compare(place, model, [FIRST], [lastFor(model)])
  },
}

/** A process that is killed while a call runs, and in an answer to results. Each time another one goes on. */
export const killed: Scenario = {
  name: "killed",
  async run(place, model) {
    const started = join(place.project, "started")
    await ask(place, model, FIRST, false)
    const calls = `${call("Bash", { command: "echo one" })}\n${call("Bash", { command: "touch started; sleep 50" })}`
    await killAgent(...programOf(place, model, calls, true), () => existsSync(started))
    await ask(place, model, "Two", true)
    // It writes late.
    const isWritten = () => wiresOf(place).some((wire) => wire.includes(`"output":"${HANG}`))
    await killAgent(...programOf(place, model, call("Bash", { command: `echo ${HANG}` }), true), isWritten)
    await ask(place, model, "Three", true)
    return compare(place, model, [FIRST], [lastFor(model)], model.requests.length - 1)
  },
}

/** A fork that says something else than its origin. */
export const fork: Scenario = {
  name: "fork",
  async run(place, model) {
    await ask(place, model, FIRST, false)
    await ask(place, model, call("Bash", { command: "echo one" }), true)
    const origin = lastFor(model)
    const [id] = await sessionIds(place)
    await runAgent(place, "kimi", ["fork", String(id)])
    await ask(place, model, "Otherwise", true)
    return compare(place, model, [FIRST, FIRST], [origin, lastFor(model)])
  },
}

/** Steps back, a compaction, and what was typed while a call ran, in the terminal. */
export const goingBack: Scenario = {
  name: "going-back",
  async run(place, model) {
    programOf(place, model, "", false)
    const terminal = new AgentInTerminal(place, "kimi", ["--auto"])
    try {
      const say = (prompt: string) => terminal.say(prompt, model, WAITS)
      await terminal.shows("Trust this folder")
      terminal.press("Enter")
      await terminal.shows(WAITS)
      await say(FIRST)
      await say("To be taken back")
      await undo(terminal, "To be taken back")
      await say(call("Bash", { command: "echo one" }))
      await undo(terminal, "echo one")
      await say("Two")
      const before = model.requests.length
      await terminal.enter("/compact", "summarize", () => model.requests.length > before)
      await terminal.shows(/[Cc]ompact(?:ed|ion complete)/)
      await say("Three")
      await say("To be taken back too")
      await undo(terminal, "To be taken back too")
      await say("Four")
      return await compare(place, model, [FIRST], [lastFor(model)])
    } finally {
      await terminal.close()
    }
  },
}

const WAITS = /context: /
const INNER = "Find the thing"

/** The screen shows no more what is taken back. */
function undo(terminal: AgentInTerminal, prompt: string): Promise<void> {
  return terminal.enter("/undo 1", "take it back", () => !terminal.lines().join("\n").includes(prompt))
}

function ask(place: AgentPlace, model: ModelServer, prompt: string, goesOn: boolean): Promise<string> {
  return runAgent(...programOf(place, model, prompt, goesOn))
}

function programOf(place: AgentPlace, { url }: ModelServer, prompt: string, goesOn: boolean) {
  const home = join(place.home, ".kimi-code")
  mkdirSync(home, { recursive: true })
  const settings = [
    `default_model = "local"\ntelemetry = false`,
    `[providers.local]\ntype = "anthropic"\nbase_url = "${url}"\napi_key = "none"`,
    `[models.local]\nprovider = "local"\nmodel = "${MODEL}"\nmax_context_size = 200000`,
  ]
  writeFileSync(join(home, "config.toml"), settings.join("\n"))
  return [place, "kimi", [...(goesOn ? ["--continue"] : []), "-p", prompt]] as const
}

/** The messages of the last request for the session, and not for a sub-agent. */
function lastFor({ requests }: ModelServer): readonly Json[] {
  const own = requests.filter(({ messages }) => !JSON.stringify((messages as Json[])[0]).includes(INNER))
  return ((own.at(-1)?.messages ?? []) as Json[]).map(({ role, content }) => ({
    role,
    content: blocksOf(content).flatMap(split).map(withError),
  }))
}

/** Prompts with nothing between them are one text. */
function split(block: Json): Json[] {
  const texts = String(block.text ?? "").split(`${FIRST}\n\n`)
  return block.type === "text" && texts.length > 1
    ? [FIRST, ...texts.slice(1)].map((text) => ({ type: "text", text }))
    : [block]
}

/** What is written of all agents of its sessions. */
function wiresOf({ home }: AgentPlace): string[] {
  const at = join(home, ".kimi-code", "sessions")
  const files = readdirSync(at, { recursive: true }).map(String)
  return files.filter((file) => file.endsWith("wire.jsonl")).map((file) => readFileSync(join(at, file), "utf8"))
}

/** It says in the text which results are errors. */
function withError(block: Json): Json {
  const isError = JSON.stringify(block.content ?? "").includes("<system>ERROR: ")
  return block.type === "tool_result" && isError ? { ...block, is_error: true } : block
}

async function sessionIds({ home }: AgentPlace): Promise<string[]> {
  const storage = await openAgent("kimi", { env: { HOME: home }, cacheDir: null })
  const listed = await collected(new SessionManager({ storage }).listAll())
  return listed.sort((a, b) => a.created - b.created).map(({ id }) => id)
}

/** @param sent for each session, in the order of their creation */
async function compare(
  place: AgentPlace,
  { requests }: ModelServer,
  prompts: readonly string[],
  sent: readonly (readonly Json[])[],
  answers = requests.length,
): Promise<Findings> {
  const ids = await sessionIds(place)
  const storage = await openAgent("kimi", { env: { HOME: place.home }, cacheDir: null })
  return checkRecords(storage, { prompts, sent: (id) => sent[ids.indexOf(id)], answers })
}
