import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openAgent } from "@treelog/agents"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, killAgent, runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import { fromChat } from "../model/chat-api.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { answer, call, HANG, ODD_IDS, said, thought } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"
import { fieldsIn } from "./known-fields.js"
import { MODEL, offline } from "./offline.js"

const OTHER = "claude-opus-4.5"

/** Calls that succeed and fail, in a session that is gone on with. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    const local = offline(place, model)
    const prompts = [
      "Why is it wrong?",
      `${call("bash", { command: "echo one", description: "x" })}\n${call("view", { path: file })}`,
      call("edit", { path: file, old_str: "one", new_str: "two" }),
      call("view", { path: join(place.project, "none.txt") }),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries())
      await runAgent(local, "copilot", ["-p", prompt, "--allow-all-tools", ...(at > 0 ? ["--continue"] : [])])
    return compare(place, model, prompts.slice(0, 1), model.requests.length)
  },
}

/** Thoughts between texts, redacted ones, another model, a long result, and a process that is killed between two calls. */
export const odd: Scenario = {
  name: "odd",
  async run(place, model) {
    const local = offline(place, model)
    const run = (prompt: string, more: readonly string[] = ["--continue"], at = local): Promise<string> =>
      runAgent(at, "copilot", ["-p", prompt, "--allow-all-tools", ...more])
    const mixed = [{ type: "redacted_thinking", data: "cmVk" }, thought("one"), said("A"), thought("two"), said("B")]
    await run("Why is it wrong?", [])
    await run(`${answer(...mixed)}\n${call("bash", { command: "seq 1 20000", description: "x" })}`)
    const calls = [call("bash", { command: "echo one", description: "x" }), call("bash", SLEEP)].join("\n")
    const before = model.requests.length
    const isCalled = () => model.requests.length > before && eventsIn(place).includes('"result":{"content":"one')
    await killAgent(local, "copilot", ["-p", calls, "--allow-all-tools", "--continue"], isCalled)
    await run("Go on")
    await run("And now?", ["--continue"], { ...local, env: { ...local.env, COPILOT_MODEL: OTHER } })
    return compare(place, model, ["Why is it wrong?"], model.requests.length, OTHER)
  },
}

/** Tools of MCP with pictures and an error, an attached file, a reply that is a thought alone, and a kill in the answer to a result. */
export const tools: Scenario = {
  name: "tools",
  async run(place, model) {
    const local = offline(place, model)
    addTools(place)
    writeFileSync(join(place.project, "one.txt"), "one\n")
    const picture = join(place.project, "pixel.png")
    writeFileSync(picture, Buffer.from(PIXEL, "base64"))
    const thought = { type: "thinking", thinking: "Nothing else", signature: "c2lnbmF0dXJl" }
    const prompts = [
      "Why is it wrong?",
      `${ODD_IDS}\n${call("local-look", {})}\n${call("local-fail", {})}\n${call("view", { path: picture })}`,
      "What is in @one.txt?",
      answer(thought),
    ]
    const run = (prompt: string, more: readonly string[]): Promise<string> =>
      runAgent(local, "copilot", ["-p", prompt, "--allow-all-tools", ...more])
    for (const [at, prompt] of prompts.entries()) await run(prompt, at > 0 ? ["--continue"] : [])
    const before = model.requests.length
    const hang = call("bash", { command: `echo ${HANG}`, description: "x" })
    const args = ["-p", hang, "--allow-all-tools", "--continue"]
    await killAgent(local, "copilot", args, () => model.requests.length > before + 1)
    await run("What now?", ["--continue"])
    return compare(place, model, prompts.slice(0, 1), model.requests.length - 1)
  },
}

function addTools({ home }: AgentPlace): void {
  mkdirSync(join(home, ".copilot"), { recursive: true })
  const server = { type: "local", command: process.execPath, args: [writeToolServer(home)], tools: ["*"] }
  writeFileSync(join(home, ".copilot", "mcp-config.json"), JSON.stringify({ mcpServers: { local: server } }))
}

/** A command of the user, a compaction, and kills behind it, also in a call of a sub-agent. */
export const killedLater: Scenario = {
  name: "killed-later",
  async run(place, model) {
    const local = offline(place, model)
    const goOn = (prompt: string): Promise<string> =>
      runAgent(local, "copilot", ["-p", prompt, "--allow-all-tools", "--continue"])
    const calls = (name: string): string =>
      `${call("bash", { command: "echo one", description: "x" })}\n${call("bash", { ...SLEEP, command: `touch ${name}; sleep 60` })}`
    const kill = (prompt: string, name: string): Promise<void> =>
      killAgent(local, "copilot", ["-p", prompt, "--allow-all-tools", "--continue"], () =>
        existsSync(join(place.project, name)),
      )
    const terminal = new AgentInTerminal(local, "copilot", ["--allow-all-tools"])
    const shows = (text: string) => () => terminal.lines().join("\n").includes(text)
    const say = (prompt: string): Promise<void> => terminal.say(prompt, model, /· \/ commands/)
    try {
      await terminal.shows("Do you trust")
      terminal.press("Enter")
      await terminal.shows(/· \/ commands/)
      await say("Why is it wrong?")
      terminal.type("!")
      await terminal.shows("Shell ·")
      await terminal.enter("echo by hand $((6 * 7))", "run it", shows("by hand 42"))
      await terminal.shows(/· \/ commands/)
      await say("What was it?")
      await terminal.enter("/compact", "compact", shows("Compaction completed"))
      await say("Two")
    } finally {
      await terminal.close()
    }
    await kill(calls("first"), "first")
    await goOn("Three")
    const inner = { description: "Find it", prompt: calls("second"), agent_type: "task", name: "finder" }
    await kill(call("task", inner), "second")
    await goOn("Four")
    // From its next start on, Copilot sends the result that it made for the call that was lost last in other words.
    await goOn("Five")
    return compare(place, model, ["Why is it wrong?"], model.requests.length)
  },
}

/** A session with an API for chats, and a picture in a result. */
export const chat: Scenario = {
  name: "chat",
  async run(place, model) {
    const local = offline(place, model)
    const env = {
      ...local.env,
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_MODEL: "gpt-5",
    }
    addTools(place)
    const prompts = [
      "Why is it wrong?",
      `${call("bash", { command: "echo one", description: "x" })}\n${call("local-look", {})}`,
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries())
      await runAgent({ ...local, env }, "copilot", [
        "-p",
        prompt,
        "--allow-all-tools",
        ...(at > 0 ? ["--continue"] : []),
      ])
    return compare(place, model, prompts.slice(0, 1), model.requests.length, "gpt-5")
  },
}

/** Replies by way of OpenAI's API of responses, and then of Anthropic's. */
export const responses: Scenario = {
  name: "responses",
  async run(place, model) {
    const local = offline(place, model)
    const openai = {
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
      COPILOT_MODEL: "gpt-5",
    }
    const env = { ...local.env, ...openai, COPILOT_PROVIDER_WIRE_API: "responses" }
    const prompts = ["Why is it wrong?", call("bash", { command: "echo one", description: "x" }), "And?", "What now?"]
    for (const [at, prompt] of prompts.entries()) {
      const args = ["-p", prompt, "--allow-all-tools", ...(at > 0 ? ["--continue"] : [])]
      await runAgent(at < 3 ? { ...local, env } : local, "copilot", args)
    }
    return compare(place, model, prompts.slice(0, 1), model.requests.length)
  },
}

const SLEEP = { command: "sleep 60", description: "x", initial_wait: 90 }

/** All events that Copilot has written. */
function eventsIn({ home }: AgentPlace): string {
  const folder = join(home, ".copilot", "session-state")
  if (!existsSync(folder)) return ""
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("events.jsonl"),
  )
  return files.map((name) => readFileSync(join(folder, name), "utf8")).join("")
}

/** A picture, a compaction, a sub-agent, an interruption and a step back, in a terminal. */
export const atWork: Scenario = {
  name: "at-work",
  async run(place, model) {
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const terminal = new AgentInTerminal(offline(place, model), "copilot", ["--allow-all-tools"])
    const say = (prompt: string): Promise<void> => terminal.say(prompt, model, /· \/ commands/)
    try {
      await terminal.shows("Do you trust")
      terminal.press("Enter")
      await terminal.shows(/· \/ commands/)
      const first = ["Why is it wrong?"]
      await say("Why is it wrong?")
      await say("What is @pixel.png")
      const before = await compare(place, model, first, model.requests.length)
      // Its summary repeats the prompts: calls before it would be made again.
      await terminal.enter("/compact", "compact", () => terminal.lines().join("\n").includes("Compaction completed"))
      await say(
        call("task", { description: "Find it", prompt: "Find the thing", agent_type: "explore", name: "finder" }),
      )
      const sleep = call("bash", { command: "sleep 60", description: "x" })
      await terminal.enter(sleep, "run it", () => terminal.lines().some((line) => line.includes("$ Shell")))
      terminal.press("Ctrl-c")
      await terminal.shows("cancelled by user")
      await say("Go on")
      await say("To be taken back")
      const isShown = () => terminal.lines().join("\n").includes("Rewind to a previous point")
      await terminal.enter("/rewind", "show prompts", isShown)
      terminal.press("Enter")
      await terminal.shows("Conversation only")
      terminal.press("Enter")
      await terminal.until("have the prompt again", () => /^❯ To be taken back/m.test(terminal.lines().join("\n")))
      terminal.press("Ctrl-u")
      await say("Otherwise")
      terminal.type("/compact")
      const isCompacted = () => model.requests.length > count
      const count = model.requests.length
      await terminal.until("have the input", () => /^❯ \/compact/m.test(terminal.lines().join("\n")))
      terminal.press("Enter")
      await terminal.until("compact again", isCompacted)
      await setTimeout(3_000)
      await say("And then?")
      // What was taken back is deleted.
      const after = await compare(place, model, first, model.requests.length - 1)
      return { differences: [...before.differences, ...after.differences], unknown: after.unknown }
    } finally {
      await terminal.close()
    }
  },
}

async function compare(
  { home }: AgentPlace,
  { requests }: ModelServer,
  prompts: readonly string[],
  answers: number,
  to = MODEL,
): Promise<Findings> {
  const storage = await openAgent("copilot", { env: { HOME: home }, cacheDir: null })
  const messages = (requests.at(-1)?.messages ?? []) as Json[]
  const sent = (to === "gpt-5" ? fromChat(messages) : messages).map(({ role, content }) => ({
    role,
    content: blocksOf(content).map(withError),
  }))
  const fields = fieldsIn(join(home, ".copilot", "session-state"))
  return checkRecords(storage, {
    prompts,
    sent: () => sent,
    answers,
    target: { provider: "anthropic", model: to },
    fields,
  })
}

/** Copilot sends that a call failed as text alone; treelog marks it, as the README of the reader says. */
function withError(block: Json): Json {
  const isError = JSON.stringify(block.content ?? "").match(/Path does not exist|was interrupted|It failed/) !== null
  return block.type === "tool_result" && isError ? { ...block, is_error: true } : block
}
