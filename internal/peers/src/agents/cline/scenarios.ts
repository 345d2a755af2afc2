import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openAgent } from "@treelog/agents"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, killAgent, runAgent } from "../frame/run-agent.js"
import { documentsIn, type KnownFields, plain } from "../frame/unknown-fields.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { answer, call, said, thought } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"

const METRICS = plain("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "cost")

const BLOCK = {
  ...plain("type", "text", "thinking", "signature", "id", "name", "tool_use_id", "is_error", "data", "mediaType"),
  ...({ input: true, content: true } as const),
}

const MESSAGE = {
  ...plain("id", "role", "ts"),
  ...{ content: BLOCK, metrics: METRICS, modelInfo: plain("family", "id", "provider") },
  metadata: true,
} as const

/** Of a session's messages. */
const KNOWN_FIELDS = {
  ...plain("version", "updated_at", "agent", "sessionId", "taskType", "system_prompt"),
  origin: plain("mode", "parentThreadId", "sessionId", "source", "subagent", "version"),
  messages: MESSAGE,
} as const satisfies KnownFields

const MODEL = "claude-sonnet-4-5"

/** A session with calls that succeed and fail, one whose prompt names a file, and one without. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    const local = prepared(place, model)
    const calls = [
      call("run_commands", { commands: ["echo one"] }),
      call("read_files", { files: [{ path: file }] }),
      call("read_files", { files: [{ path: join(place.project, "none.txt") }] }),
      call("editor", { path: file, old_text: "one", new_text: "two" }),
    ]
    const prompts = [calls.join("\n"), "What is in @one.txt?", "What now?"]
    const sent = new Map<string, readonly Json[]>()
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    for (const prompt of prompts) {
      // With an @file in the prompt, Cline 3.0.65 ends at times before it sends anything, and stores nothing.
      const before = model.requests.length
      for (let tries = 0; tries < 5 && model.requests.length === before; tries++)
        await runAgent(local, "cline", [...ARGS, prompt])
      for await (const { id = "" } of storage.list())
        if (!sent.has(id)) sent.set(id, asRead((model.requests.at(-1)?.messages ?? []) as Json[]))
    }
    return checked(storage, { place, model, prompts, going: sent })
  },
}

/** A picture and long texts in results, and a sub-agent, in a session that is gone on with. */
export const long: Scenario = {
  name: "long",
  async run(place, model) {
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    writeFileSync(join(place.project, "long.txt"), "0123456789 abcdef\n".repeat(3_000))
    const local = prepared(place, model)
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    const read = (name: string): string => call("read_files", { files: [{ path: join(place.project, name) }] })
    const commands = call("run_commands", { commands: ["seq 1 20000", "echo two"] })
    const first = `${read("pixel.png")}\n${read("long.txt")}\n${commands}`
    const going = new Map<string, readonly Json[]>()
    await runAgent(local, "cline", [...ARGS, first])
    for await (const { id = "" } of storage.list())
      await inTerminal(local, model, ["--id", id], async (_, say) => {
        await say(call("spawn_agent", { systemPrompt: "Find", task: "Find the thing" }))
        await say("What now?")
        going.set(id, asRead((model.requests.at(-1)?.messages ?? []) as Json[]))
      })
    return checked(storage, { place, model, prompts: [first], going })
  },
}

/** Thoughts between texts and redacted ones, tools of MCP with pictures and an error, and another model that goes on. */
export const models: Scenario = {
  name: "models",
  async run(place, model) {
    const local = prepared(place, model)
    const servers = { local: { command: process.execPath, args: [writeToolServer(place.home)] } }
    const settings = join(place.home, ".cline", "data", "settings", "cline_mcp_settings.json")
    writeFileSync(settings, JSON.stringify({ mcpServers: servers }))
    const mixed = answer(
      { type: "redacted_thinking", data: "cmVk" },
      thought("one"),
      said("A"),
      thought("two"),
      said("B"),
    )
    const first = `${mixed}\n${call("local__look", {})}\n${call("local__fail", {})}`
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    const going = new Map<string, readonly Json[]>()
    await runAgent(local, "cline", [...ARGS, first])
    for await (const { id = "" } of storage.list())
      await inTerminal(local, model, ["--id", id, "-m", "claude-opus-4-5"], async (_, say) => {
        await say(call("local__look", {}))
        await say("What now?")
        going.set(id, asRead((model.requests.at(-1)?.messages ?? []) as Json[]))
      })
    return checked(storage, { place, model, prompts: [first], going })
  },
}

/** Kills in a stream and between two calls; each time another process goes on. */
export const killed: Scenario = {
  name: "killed",
  async run(place, model) {
    const local = prepared(place, model)
    const started = join(place.project, "started")
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    const going = new Map<string, readonly Json[]>()
    const first = call("run_commands", { commands: ["echo one", "touch started; sleep 50"] })
    await killAgent(local, "cline", [...ARGS, first], () => existsSync(started))
    for await (const { id = "" } of storage.list())
      await inTerminal(local, model, ["--id", id], async (_, say) => {
        await say("Two")
        await say("What now?")
        going.set(id, asRead((model.requests.at(-1)?.messages ?? []) as Json[]))
      })
    return checked(storage, { place, model, prompts: [first], going })
  },
}

/** Kills behind a compaction, and in a call of a sub-agent. */
export const killedLater: Scenario = {
  name: "killed-later",
  async run(place, model) {
    const local = prepared(place, model)
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    const going = new Map<string, readonly Json[]>()
    const calls = (name: string): string =>
      `${call("run_commands", { commands: ["echo one"] })}\n${call("run_commands", { commands: [`touch ${name}; sleep 50`] })}`
    const isStarted = (name: string) => () => existsSync(join(place.project, name))
    const first = call("run_commands", { commands: ["echo zero"] })
    await runAgent(local, "cline", [...ARGS, first])
    for await (const { id = "" } of storage.list()) {
      await inTerminal(local, model, ["--id", id], async (terminal) => {
        await terminal.enter("/compact", "compact", () => terminal.lines().join("").includes("Context compacted"))
        await terminal.enter(calls("first"), "call", isStarted("first"))
      })
      await inTerminal(local, model, ["--id", id], async (terminal, say) => {
        await say("Two")
        const inner = call("spawn_agent", { systemPrompt: "Find", task: calls("second") })
        await terminal.enter(inner, "call", isStarted("second"))
      })
      await inTerminal(local, model, ["--id", id], async (_, say) => {
        await say("What now?")
        going.set(id, asRead((model.requests.at(-1)?.messages ?? []) as Json[]))
      })
    }
    // What a compaction and a sub-agent that was killed used is not stored.
    return checked(storage, { place, model, prompts: [first], going }, 2)
  },
}

/** An interruption and a compaction in a terminal, and a second one that goes on with the session. */
export const atWork: Scenario = {
  name: "at-work",
  async run(place, model) {
    const local = prepared(place, model)
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    const differences: string[] = []
    const unknown: string[] = []
    const check = async (answers: number): Promise<void> => {
      const sent = asRead((model.requests.at(-1)?.messages ?? []) as Json[])
      const done = {
        prompts: ["One"],
        sent: () => sent,
        answers,
        sendsOwnThoughts: false,
        fields: fieldsOf(place),
      }
      // Cline shows an answer before it stores it.
      let found = await checkRecords(storage, done)
      for (let waited = 0; found.differences.length > 0 && waited < 50; waited++) {
        await setTimeout(100)
        found = await checkRecords(storage, done)
      }
      differences.push(...found.differences)
      unknown.push(...found.unknown)
    }
    await inTerminal(local, model, [], async (terminal, say) => {
      await say("One")
      await say("Two")
      const sleep = call("run_commands", { commands: ["sleep 50"] })
      await terminal.enter(sleep, "run it", () => terminal.lines().some((line) => line.includes("run_commands(")))
      terminal.press("Escape")
      await terminal.shows(/\* run_commands\(sleep/)
      await say("Go on")
      await check(model.requests.length)
      await terminal.enter("/compact", "compact", () => terminal.lines().join("").includes("Context compacted"))
      await say("Three")
      // What a compaction used is not stored.
      await check(model.requests.length - 1)
    })
    for await (const { id = "" } of storage.list())
      await inTerminal(local, model, ["--id", id], async (_, say) => {
        await say("What now?")
        await check(model.requests.length - 1)
      })
    return { differences, unknown }
  },
}

const ARGS = ["-P", "anthropic", "-k", "none", "-m", MODEL]

const fieldsOf = ({ home }: AgentPlace) =>
  [documentsIn(join(home, ".cline", "data", "sessions"), /\.messages\.json$/), KNOWN_FIELDS] as const

async function inTerminal(
  place: AgentPlace,
  model: ModelServer,
  args: readonly string[],
  work: (terminal: AgentInTerminal, say: (prompt: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const terminal = new AgentInTerminal(place, "cline", ["-i", ...ARGS, ...args])
  try {
    await terminal.shows(/Auto-approve all/)
    await work(terminal, (prompt) => terminal.say(prompt, model, /Auto-approve all/))
  } finally {
    await terminal.close()
  }
}

interface Checked {
  readonly place: AgentPlace
  readonly model: ModelServer
  readonly prompts: readonly string[]
  /** What the model got when a session went on, by session. */
  readonly going: ReadonlyMap<string, readonly Json[]>
}

function checked(
  storage: Parameters<typeof checkRecords>[0],
  { place, model, prompts, going }: Checked,
  uncounted = 0,
): ReturnType<typeof checkRecords> {
  return checkRecords(storage, {
    prompts,
    sent: (id) => going.get(id),
    answers: model.requests.length - uncounted,
    sendsOwnThoughts: false,
    fields: fieldsOf(place),
  })
}

function prepared(place: AgentPlace, { url }: ModelServer): AgentPlace {
  const settings = { provider: "anthropic", apiKey: "none", model: MODEL, baseUrl: `${url}/v1` }
  const anthropic = { settings, updatedAt: "2026-11-26T01:00:00.000Z", tokenSource: "manual" }
  const folder = join(place.home, ".cline", "data", "settings")
  mkdirSync(folder, { recursive: true })
  const providers = { version: 1, lastUsedProvider: "anthropic", providers: { anthropic } }
  writeFileSync(join(folder, "providers.json"), JSON.stringify(providers))
  // Otherwise a server of Cline's would go on running, and what it advertises would take the first key.
  const own = { CLINE_SESSION_BACKEND_MODE: "local", CLINE_DISABLE_CLINE_PASS_NOTICE: "1" }
  return { ...place, env: { ...place.env, ...own } }
}

function asRead(messages: readonly Json[]): Json[] {
  return messages.map(({ role, content }) => ({ role, content: blocksOf(content) }))
}
