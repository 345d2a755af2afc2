import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { SessionManager } from "@treelog/session-core"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { type AgentPlace, collected, killAgent } from "../frame/run-agent.js"
import { documentsIn, type KnownFields, plain } from "../frame/unknown-fields.js"
import type { Json } from "../model/blocks.js"
import { PART } from "../model/gemini-fields.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { answer, call, HANG, ODD_IDS, thought } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"
import { ask, lastFor, MODEL, programOf } from "./run-qwen.js"

const RECORD = plain("uuid", "parentUuid", "sessionId", "timestamp", "type", "subtype", "cwd", "version", "gitBranch")
const AGENT = plain("agentId", "agentName", "agentColor", "isSidechain")

const KNOWN_FIELDS = {
  ...{ ...RECORD, ...AGENT, ...plain("model", "provenance", "contextWindowSize") },
  forkedFrom: plain("messageUuid", "sessionId"),
  message: { role: {}, parts: PART },
  toolCallResult: {
    ...plain("callId", "error", "errorType", "executionStatus", "status"),
    resultDisplay: true,
  },
  usageMetadata: plain(
    ...["cachedContentTokenCount", "candidatesTokenCount", "promptTokenCount", "thoughtsTokenCount", "totalTokenCount"],
  ),
  systemPayload: true,
} as const satisfies KnownFields

const shell = (command: string): string =>
  call("run_shell_command", { command, is_background: false, description: "x" })

/** Calls that succeed and fail, a picture, and a sub-agent, in a session that is gone on with. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const read = call("read_file", { file_path: file })
    const prompts = [
      "Why is it wrong?",
      `${shell("echo one")}\n${read}`,
      call("read_file", { file_path: join(place.project, "none.txt") }),
      "What is @pixel.png",
      call("agent", { description: "Find it", prompt: "Find the thing", subagent_type: "general-purpose" }),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) await ask(place, model, prompt, at > 0 ? ["--continue"] : [])
    return compare(place, model, ["Why is it wrong?"], [lastFor(model)])
  },
}

/** A process that is killed while a call runs, and in an answer to results. Each time another one goes on. */
export const killed: Scenario = {
  name: "killed",
  async run(place, model) {
    const started = join(place.project, "started")
    await ask(place, model, "One")
    const first = `${shell("echo one")}\n${shell("touch started; sleep 50")}`
    await killAgent(...programOf(place, model, first), () => existsSync(started))
    await ask(place, model, "Two", ["--continue"])
    const asked = model.requests.length
    await killAgent(...programOf(place, model, shell(`echo ${HANG}`)), () => model.requests.length > asked + 1)
    await ask(place, model, "Three", ["--continue"])
    return compare(place, model, ["One"], [lastFor(model)], model.requests.length - 1)
  },
}

/** Kills behind a compaction, twice without a prompt between, and in a call of a sub-agent. */
export const killedLater: Scenario = {
  name: "killed-later",
  async run(place, model) {
    const calls = (name: string): string => `${shell("echo one")}\n${shell(`touch ${name}; sleep 50`)}`
    const kill = (name: string, prompt: string): Promise<void> =>
      killAgent(...programOf(place, model, prompt), () => existsSync(join(place.project, name)))
    await ask(place, model, shell("echo zero"))
    await ask(place, model, "/compress", ["--continue"])
    await kill("first", calls("first"))
    await kill("second", calls("second"))
    await ask(place, model, "Two", ["--continue"])
    const inner = call("agent", { description: "Find it", prompt: calls("third"), subagent_type: "general-purpose" })
    await kill("third", inner)
    await ask(place, model, "Three", ["--continue"])
    return compare(place, model, [shell("echo zero")], [lastFor(model)])
  },
}

/** Long outputs of a command and of files, and a tool that writes much, in a session that is gone on with. */
export const long: Scenario = {
  name: "long",
  async run(place, model) {
    writeFileSync(join(place.project, "long.txt"), "0123456789 abcdef\n".repeat(6_000))
    const prompts = [
      "Why is it wrong?",
      shell("seq 1 20000"),
      call("read_file", { file_path: join(place.project, "long.txt") }),
      call("grep_search", { pattern: "abc", path: place.project }),
      "What is in @long.txt?",
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) await ask(place, model, prompt, at > 0 ? ["--continue"] : [])
    return compare(place, model, ["Why is it wrong?"], [lastFor(model)])
  },
}

/** A tool of MCP with a picture and resources, one that fails, a call that is denied, odd thoughts, and another model that goes on. */
export const tools: Scenario = {
  name: "tools",
  async run(place, model) {
    const server = { command: process.execPath, args: [writeToolServer(place.home)], trust: true }
    mkdirSync(join(place.home, ".qwen"))
    const settings = { mcpServers: { local: server }, permissions: { deny: ["Bash(rm *)"] } }
    writeFileSync(join(place.home, ".qwen", "settings.json"), JSON.stringify(settings))
    const denied = shell("rm none.txt")
    const text = { type: "text", text: "Yes" }
    const odd = answer(thought("One."), text, thought("Two."), { type: "redacted_thinking", data: "ZW5j" }, text)
    const prompts = [
      "Why is it wrong?",
      `${ODD_IDS}\n${call("mcp__local__look", {})}\n${call("mcp__local__fail", {})}\n${denied}`,
      odd,
      call("unknown_tool", {}),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries())
      await ask(place, model, prompt, at > 0 ? ["--continue"] : [], at < 3 ? MODEL : "claude-opus-4-5")
    return compare(place, model, ["Why is it wrong?"], [lastFor(model)])
  },
}

/** A compaction, and a prompt after it. */
export const compaction: Scenario = {
  name: "compaction",
  async run(place, model) {
    await ask(place, model, "One")
    for (const prompt of ["Two", "/compress", "What now?"]) await ask(place, model, prompt, ["--continue"])
    return compare(place, model, ["One"], [lastFor(model)])
  },
}

/** A fork that says something else than its origin. */
export const fork: Scenario = {
  name: "fork",
  async run(place, model) {
    await ask(place, model, "One")
    await ask(place, model, "Two", ["--continue"])
    const origin = lastFor(model)
    await ask(place, model, "Otherwise", ["--continue", "--fork-session"])
    return compare(place, model, ["One", "One"], [origin, lastFor(model)])
  },
}

/** @param sent for each session, in the order of their creation */
async function compare(
  { home }: AgentPlace,
  { requests }: ModelServer,
  prompts: readonly string[],
  sent: readonly (readonly Json[])[],
  answers = requests.length,
): Promise<Findings> {
  const storage = await openAgent("qwen", { env: { HOME: home }, cacheDir: null })
  const listed = await collected(new SessionManager({ storage: storage }).listAll())
  const ids = listed.sort((a, b) => (a.messageCount ?? 0) - (b.messageCount ?? 0)).map(({ id }) => id)
  const target = { provider: "anthropic", model: MODEL }
  return checkRecords(storage, {
    ...{ prompts, sent: (id) => sent[ids.indexOf(id)], answers, target },
    fields: [documentsIn(join(home, ".qwen", "projects"), /chats\/.*\.jsonl$/), KNOWN_FIELDS],
  })
}
