import { spawn } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openAgent } from "@treelog/agents"
import { loadDriver } from "@treelog/index-sqlite"
import { SessionManager } from "@treelog/session-core"
import { freePort } from "@treelog-internal/test-kit/postgres/server"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { type AgentPlace, collected, killAgent, runAgent } from "../frame/run-agent.js"
import { type KnownFields, plain, rowsIn } from "../frame/unknown-fields.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { answer, HANG, said, thought } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"

const BLOCK = {
  ...plain("type text textSignature thinking thinkingSignature redacted id name data mimeType"),
  ...({ arguments: true } as const),
}

const MESSAGE = {
  ...plain("role provider model api responseId responseModel stopReason errorMessage timestamp idempotencyKey"),
  ...plain("toolCallId toolName isError excludeFromContext customType display"),
  ...({ content: BLOCK, usage: true, details: true, provenance: true, __openclaw: true } as const),
}

const EVENT = {
  ...plain("type id parentId timestamp appendMode customType targetId reason firstKeptEntryId"),
  ...plain("summary tokensBefore tokensAfter fromHook cwd version parentSession provider modelId thinkingLevel"),
  ...({ message: MESSAGE, data: true, details: true, __openclaw: true } as const),
}

/** Of the events of transcripts of OpenClaw. */
const KNOWN_FIELDS = {
  transcript_events: {
    ...plain("session_id seq event_zstd created_at event_utf8_bytes"),
    ...({ event_json: EVENT, navigation_json: true } as const),
  },
} as const satisfies KnownFields

/** Behind a line of its own, since OpenClaw puts the time before a prompt. */
const call = (...calls: readonly (readonly [name: string, args: object])[]): string =>
  ["Do it:", ...calls.map(([name, args]) => `CALL ${name} ${JSON.stringify(args)}`)].join("\n")

/** Calls that succeed and fail, each in a process of its own. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    await prepared(place, model)
    writeFileSync(join(place.project, "one.txt"), "one\n")
    const prompts = [
      "Why is it wrong?",
      call(["exec", { command: "echo one" }], ["read", { path: "one.txt" }]),
      call(["edit", { path: "one.txt", edits: [{ oldText: "one", newText: "two" }] }]),
      call(["read", { path: "none.txt" }]),
      "What now?",
    ]
    for (const prompt of prompts) await runAgent(place, "openclaw", turn(prompt))
    return compare(place, model, prompts.slice(0, 1))
  },
}

/** Thoughts between texts and redacted ones, another model, long results, and tools of MCP with pictures and an error. */
export const models: Scenario = {
  name: "models",
  async run(place, model) {
    await prepared(place, model, {
      mcp: { servers: { local: { command: process.execPath, args: [writeToolServer(place.home)] } } },
    })
    const mixed = answer(
      { type: "redacted_thinking", data: "cmVk" },
      thought("one"),
      said("A"),
      thought("two"),
      said("B"),
    )
    const prompts = [
      "Why is it wrong?",
      `Do it:\n${mixed}\n${call(["exec", { command: "seq 1 20000" }])}`,
      call(["tool_call", { id: "local__look", args: {} }], ["tool_call", { id: "local__fail", args: {} }]),
      "And?",
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries())
      await runAgent(place, "openclaw", [...turn(prompt), ...(at < 3 ? [] : ["--model", "local/local-2"])])
    return compare(place, model, prompts.slice(0, 1))
  },
}

/** Kills between two calls, and in the answer to a result; each time another process goes on. */
export const killed: Scenario = {
  name: "killed",
  async run(place, model) {
    await prepared(place, model)
    const started = join(place.project, "started")
    await runAgent(place, "openclaw", turn("One"))
    const calls = call(["exec", { command: "echo one" }], ["exec", { command: "touch started; sleep 50" }])
    await killAgent(place, "openclaw", turn(calls), () => existsSync(started))
    await runAgent(place, "openclaw", turn("Two"))
    const before = model.requests.length
    const hang = call(["exec", { command: `echo ${HANG}` }])
    await killAgent(place, "openclaw", turn(hang), () => model.requests.length > before + 1)
    await runAgent(place, "openclaw", turn("Four"))
    return compare(place, model, ["One"], 1)
  },
}

/** Kills twice without a prompt between, with one of two calls answered. */
export const killedLater: Scenario = {
  name: "killed-later",
  async run(place, model) {
    await prepared(place, model)
    const kill = (name: string, prompt: string): Promise<void> =>
      killAgent(place, "openclaw", turn(prompt), () => existsSync(join(place.project, name)))
    const calls = (name: string): string =>
      call(["exec", { command: "echo one" }], ["exec", { command: `touch ${name}; sleep 50` }])
    await runAgent(place, "openclaw", turn("One"))
    await kill("first", calls("first"))
    await kill("second", calls("second"))
    await runAgent(place, "openclaw", turn("Two"))
    return compare(place, model, ["One"], 0)
  },
}

const turn = (prompt: string): string[] => ["agent", "--local", "--session-key", MAIN, "--message", prompt]

/** A compaction, a step back, a fork and a new start, which the gateway makes. */
export const gateway: Scenario = {
  name: "gateway",
  async run(place, model) {
    const port = await prepared(place, model)
    const env = { ...place.env }
    const options = { cwd: place.project, env, stdio: "ignore" } as const
    const server = spawn(join(place.bin, "openclaw"), ["gateway", "run"], options)
    const ended = new Promise((resolve) => server.on("close", resolve))
    try {
      for (let tries = 0; !(await isReachable(port)); tries++)
        if (tries > 180) throw new Error("The gateway does not start.")
      const say = (message: string, key = MAIN): Promise<string> =>
        runAgent(place, "openclaw", ["agent", "--session-key", key, "--message", message])
      const request = async (method: string, params: Json): Promise<Json> => {
        const args = ["gateway", "call", `sessions.${method}`, "--params", JSON.stringify(params), "--json"]
        const output = await runAgent(place, "openclaw", args)
        return JSON.parse(output.slice(output.search(/^\{/m)))
      }
      await say("One")
      await say("Two")
      await request("compact", { key: MAIN })
      await say("Three")
      await say("Taken back")
      await request("rewind", { sessionKey: MAIN, entryId: await idOf(place, "Taken back") })
      await say("Otherwise")
      const fork = await request("fork", { sessionKey: MAIN, entryId: await idOf(place, "Otherwise") })
      await say("In the fork", String(fork.sessionKey))
      await request("reset", { key: MAIN, reason: "new" })
      await say("Anew")
    } finally {
      server.kill()
      await ended
    }
    // What a compaction used is not stored.
    return compare(place, model, ["One", "One", "One"], 1)
  },
}

const TABLES = ["transcript_events"]
const MAIN = "agent:main:main"

async function isReachable(port: number): Promise<boolean> {
  await setTimeout(1_000)
  return fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    () => false,
  )
}

/** @param more settings. @returns the port for a gateway */
async function prepared({ home, project }: AgentPlace, { url }: ModelServer, more: Json = {}): Promise<number> {
  const port = await freePort()
  const folder = join(home, ".openclaw")
  mkdirSync(folder, { recursive: true })
  const cost = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
  const limits = { contextWindow: 100_000, maxTokens: 1_000, cost }
  const models = ["local-1", "local-2"].map((id) => {
    return { id, name: id, input: ["text", "image"], reasoning: true, ...limits }
  })
  const local = { baseUrl: url, apiKey: "none", api: "anthropic-messages", models }
  const defaults = { model: { primary: "local/local-1" }, workspace: project, skipBootstrap: true }
  const own = { mode: "local", port, bind: "loopback", auth: { mode: "none" } }
  const config = { gateway: own, models: { mode: "replace", providers: { local } }, agents: { defaults }, ...more }
  writeFileSync(join(folder, "openclaw.json"), JSON.stringify(config))
  return port
}

const open = ({ home }: AgentPlace) => openAgent("openclaw", { env: { HOME: home }, cacheDir: null, loadDriver })

/** The id of the newest prompt with a text. */
async function idOf(place: AgentPlace, text: string): Promise<string> {
  const sessions = new SessionManager({ storage: await open(place) })
  for (const { path } of await collected(sessions.listAll())) {
    const session = await sessions.open(path, { access: "read" })
    const entry = [...session.getEntries()].reverse().find((one) => JSON.stringify(one).includes(`"${text}"`))
    await session.close()
    if (entry) return entry.id
  }
  throw new Error(`There is no prompt ${text}.`)
}

/** Compares each session with the last request that ends with its last prompt. */
async function compare(
  place: AgentPlace,
  { requests }: ModelServer,
  prompts: readonly string[],
  uncounted = 0,
): Promise<Findings> {
  const storage = await open(place)
  const sessions = new SessionManager({ storage: storage })
  const sent = new Map<string, readonly Json[]>()
  for (const { id, path } of await collected(sessions.listAll())) {
    const { messages } = await sessions.readContext(path)
    const last = JSON.stringify([...messages].reverse().find(({ role }) => role === "user") ?? {})
    const wanted = requests.map(({ messages }) => messagesOf(messages as Json[]))
    const own = wanted.reverse().find((one) => last.includes(JSON.stringify(blocksOf(lastOf(one)?.content)[0]?.text)))
    if (own) sent.set(id, own)
  }
  return checkRecords(storage, {
    ...{ prompts, sent: (id) => sent.get(id), answers: requests.length - uncounted },
    fields: [rowsIn(join(place.home, ".openclaw/agents/main/agent/openclaw-agent.sqlite"), TABLES), KNOWN_FIELDS],
    sendsOwnThoughts: false,
  })
}

const lastOf = (messages: readonly Json[]): Json | undefined =>
  [...messages]
    .reverse()
    .find(({ role, content }) => role === "user" && blocksOf(content).some(({ type }) => type === "text"))

function messagesOf(messages: readonly Json[]): Json[] {
  return messages.map(({ role, content }) => ({
    role,
    content: blocksOf(content).filter(isStored).map(withoutTime),
  }))
}

// As the README of the reader says: OpenClaw sends the time before each prompt, and a block with its own state.

function isStored({ text }: Json): boolean {
  return !String(text).startsWith("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>")
}

function withoutTime(block: Json): Json {
  if (typeof block.text !== "string") return block
  return { ...block, text: block.text.replace(/^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d [^\]]+\] /, "") }
}
