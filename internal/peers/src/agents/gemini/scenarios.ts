import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openAgent } from "@treelog/agents"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { AgentInTerminal } from "../frame/in-terminal.js"
import { type AgentPlace, collected, killAgent, runAgent } from "../frame/run-agent.js"
import { documentsIn, plain } from "../frame/unknown-fields.js"
import type { Json } from "../model/blocks.js"
import { PART } from "../model/gemini-fields.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { answer, call, HANG, ODD_IDS } from "../model/prompt-calls.js"
import { writeToolServer } from "../model/tool-server.js"
import { ARGS, prepared, RESUME } from "./prepared.js"

const CALL = {
  ...plain("id", "name", "description", "displayName", "renderOutputAsMarkdown", "status", "timestamp", "agentId"),
  ...({ args: true, result: PART, resultDisplay: true } as const),
}

const MESSAGE = {
  ...plain("id", "timestamp", "type", "model"),
  ...{ content: PART, displayContent: PART, toolCalls: CALL },
  thoughts: plain("subject", "description", "timestamp"),
  tokens: plain("input", "cached", "output", "thoughts", "tool", "total"),
}

const SESSION = plain("sessionId", "projectHash", "startTime", "lastUpdated", "kind", "summary", "directories")

const KNOWN_FIELDS = { ...MESSAGE, ...SESSION, $rewindTo: {}, $set: { ...SESSION, messages: MESSAGE } } as const

/** Calls that succeed and fail, a picture and a compaction, in a session that is gone on with. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const local = prepared(place, model)
    const prompts = [
      "Why is it wrong?",
      `${call("run_shell_command", { command: "echo one", description: "x" })}\n${call("read_file", { file_path: "one.txt" })}`,
      call("replace", { file_path: file, old_string: "one", new_string: "two", instruction: "x" }),
      call("read_file", { file_path: "none.txt" }),
      call("read_file", { file_path: "pixel.png" }),
      "What is @pixel.png",
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) {
      const resume = at > 0 ? ["--resume", "latest"] : []
      await runAgent(local, "gemini", [...ARGS, ...resume, "-p", prompt])
    }
    return compare(place, model, prompts[0] ?? "", model.requests.length)
  },
}

/** Long results, which are cut when the session is gone on with: all its messages get other ids then. */
export const long: Scenario = {
  name: "long",
  async run(place, model) {
    for (const name of ["one", "two", "three"])
      writeFileSync(join(place.project, `${name}.txt`), `${`${name} `.repeat(20)}\n`.repeat(100))
    const outputMasking = { protectionThresholdTokens: 500, minPrunableThresholdTokens: 100 }
    const local = prepared(place, model, { contextManagement: { tools: { outputMasking } } })
    const read = (...names: string[]): string =>
      names.map((name) => call("read_file", { file_path: `${name}.txt` })).join("\n")
    const prompts = ["Why is it wrong?", read("one", "two"), read("three"), "What now?", "And then?"]
    for (const [at, prompt] of prompts.entries())
      await runAgent(local, "gemini", [...ARGS, ...(at > 0 ? ["--resume", "latest"] : []), "-p", prompt])
    return compare(place, model, prompts[0] ?? "", model.requests.length)
  },
}

/** A process that is killed while a call runs, before its results are answered, and in an answer. Each time another one goes on. */
export const killed: Scenario = {
  name: "killed",
  async run(place, model) {
    const local = prepared(place, model)
    const started = join(place.project, "started")
    const shell = (command: string): string => call("run_shell_command", { command, description: "x" })
    const killAt = (prompt: string, holds: () => boolean, more: readonly string[] = RESUME) =>
      killAgent(local, "gemini", [...ARGS, ...more, "-p", prompt], holds)
    const differences: string[] = []
    const unknown: string[] = []
    const goOn = async (prompt: string, lost: number): Promise<void> => {
      await runAgent(local, "gemini", [...ARGS, ...RESUME, "-p", prompt])
      const found = await compare(place, model, "One", model.requests.length - lost)
      differences.push(...found.differences.map((one) => `${prompt} ${one}`))
      unknown.push(...found.unknown)
    }
    await runAgent(local, "gemini", [...ARGS, "-p", "One"])
    await killAt(`${shell("echo one")}\n${shell("touch started; sleep 50")}`, () => existsSync(started))
    await goOn("Two", 0)
    const asked = model.requests.length
    await killAt(shell(`echo ${HANG}`), () => model.requests.length > asked + 1)
    await goOn("Three", 1)
    const waited = model.requests.length
    await killAt("Four\nSTOP hang", () => model.requests.length > waited)
    await goOn("Five", 2)
    return { differences, unknown }
  },
}

/** A command of the user, a compaction that keeps calls, and kills behind it, also in a call of a sub-agent. */
export const killedLater: Scenario = {
  name: "killed-later",
  async run(place, model) {
    const local = prepared(place, model)
    const shell = (command: string): string => call("run_shell_command", { command, description: "x" })
    const calls = (name: string): string => `${shell("echo one")}\n${shell(`touch ${name}; sleep 50`)}`
    const kill = (prompt: string, name: string): Promise<void> =>
      killAgent(local, "gemini", [...ARGS, ...RESUME, "-p", prompt], () => existsSync(join(place.project, name)))
    const goOn = (prompt: string): Promise<string> => runAgent(local, "gemini", [...ARGS, ...RESUME, "-p", prompt])
    const terminal = new AgentInTerminal(local, "gemini", ARGS)
    const say = (prompt: string): Promise<void> => terminal.say(prompt, model, /Type your message/)
    const shows = (text: string) => () => terminal.lines().join("\n").includes(text)
    try {
      await terminal.shows("Type your message")
      await say("One")
      await say(shell("echo zero"))
      terminal.type("!")
      await terminal.shows("Type your shell command")
      await terminal.enter("echo by hand $((6 * 7))", "run it", shows("by hand 42"))
      terminal.press("Escape")
      await terminal.shows("Type your message")
      await say("Go on")
      await terminal.enter("/compress", "compress", shows("history compressed"))
      await say(shell("echo two"))
    } finally {
      await terminal.close()
    }
    await kill(calls("first"), "first")
    await goOn("Three")
    // What a compaction used, which asks twice, is not stored.
    const before = await compare(place, model, "One", model.requests.length - 2)
    await kill(call("invoke_agent", { agent_name: "generalist", prompt: calls("second") }), "second")
    await goOn("Four")
    const after = await compare(place, model, "One", model.requests.length - 2)
    return { differences: [...before.differences, ...after.differences], unknown: after.unknown }
  },
}

/** A tool of MCP with a picture and resources, one that fails, a call that a rule denies, and another model that goes on. */
export const tools: Scenario = {
  name: "tools",
  async run(place, model) {
    const server = { command: process.execPath, args: [writeToolServer(place.home)], trust: true }
    const local = prepared(place, model, {
      mcpServers: { local: server },
      tools: { exclude: ["run_shell_command(rm)"] },
    })
    const denied = call("run_shell_command", { command: "rm none.txt", description: "x" })
    const prompts = [
      "Why is it wrong?",
      `${ODD_IDS}\n${call("mcp_local_look", {})}\n${call("mcp_local_fail", {})}\n${denied}`,
      `${answer({ text: "**One** I think.", thought: true, thoughtSignature: "b25l" }, { text: "First" }, { text: "**Two** Again.", thought: true }, { text: "Second", thoughtSignature: "dHdv" })}`,
      call("unknown_tool", {}),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) {
      const args = at < 3 ? ARGS : ["-m", "gemini-2.5-flash", ...ARGS.slice(2)]
      await runAgent(local, "gemini", [...args, ...(at > 0 ? RESUME : []), "-p", prompt])
    }
    return compare(place, model, prompts[0] ?? "", model.requests.length)
  },
}

/** An interruption, a compaction, a step back and a sub-agent, in a terminal. */
export const atWork: Scenario = {
  name: "at-work",
  async run(place, model) {
    const terminal = new AgentInTerminal(prepared(place, model), "gemini", ARGS)
    const say = (prompt: string): Promise<void> => terminal.say(prompt, model, /Type your message/)
    const shows = (text: string) => () => terminal.lines().join("\n").includes(text)
    try {
      await terminal.shows("Type your message")
      await say("One")
      await say("Two")
      await terminal.enter(call("run_shell_command", { command: "sleep 50" }), "run it", shows("Shell"))
      await setTimeout(2_000)
      terminal.press("Escape")
      await terminal.shows("cancelled")
      await say("Go on")
      const before = await compare(place, model, "One", model.requests.length)
      await terminal.enter("/compress", "compress", shows("history compressed"))
      await say("To be taken back")
      await terminal.enter("/rewind", "show prompts", shows("Stay at current position"))
      terminal.press("Up")
      await terminal.shows("● To be taken back")
      terminal.press("Enter")
      await terminal.shows("Confirm Rewind")
      terminal.press("Enter")
      await terminal.until("have the prompt again", () => /\* +To be taken back/.test(terminal.lines().join("\n")))
      terminal.press("Ctrl-u")
      await say("Otherwise")
      await say(call("invoke_agent", { agent_name: "generalist", prompt: "Find the thing" }))
      // Typed alone, a question mark shows help.
      await say("And now")
      // What a compaction used is not stored: it asks twice.
      const after = await compare(place, model, "One", model.requests.length - 2)
      return { differences: [...before.differences, ...after.differences], unknown: after.unknown }
    } finally {
      await terminal.close()
    }
  },
}

async function compare({ home }: AgentPlace, model: ModelServer, prompt: string, answers: number): Promise<Findings> {
  const storage = await openAgent("gemini", { env: { HOME: home }, cacheDir: null })
  const contents = (model.requests.at(-1)?.contents ?? []) as Json[]
  const sent = messagesOf(contents)
  // To go on begins files that have nothing yet.
  const files = await collected(storage.list())
  return checkRecords(storage, {
    prompts: [prompt, ...files.slice(1).map(() => "")],
    sent: (id) => (id.startsWith("session-") ? undefined : sent),
    answers,
    sendsOwnThoughts: false,
    fields: [documentsIn(join(home, ".gemini", "tmp"), /chats\/.*\.jsonl?$/), KNOWN_FIELDS],
  })
}

/**
 * Gemini's contents as messages of Anthropic's API. A session that is gone on with has the results of its calls several times, as the
 * README of the reader says.
 */
function messagesOf(contents: readonly Json[]): Json[] {
  const seen = new Set<string>()
  return contents.map(({ role, parts }) => {
    const content: Json[] = []
    for (const { text, functionCall, functionResponse, inlineData } of parts as Record<string, Json>[]) {
      const last = content.at(-1)
      if (text !== undefined) content.push({ type: "text", text })
      if (functionCall) {
        const { id, name, args } = functionCall
        content.push({ type: "tool_use", id: `${name}__${id}`, name, input: args })
      }
      if (functionResponse) {
        const { id, name, response } = functionResponse
        const { output, error } = response as Json
        const result = { type: "tool_result", tool_use_id: `${name}__${id}`, is_error: error !== undefined }
        content.push({ ...result, content: [{ type: "text", text: error ?? output }] })
      }
      if (inlineData) {
        const image = {
          type: "image",
          source: { type: "base64", media_type: inlineData.mimeType, data: inlineData.data },
        }
        if (last?.type === "tool_result") (last.content as Json[]).push(image)
        else content.push(image)
      }
    }
    return { role: role === "model" ? "assistant" : "user", content: content.filter(isNew) }
  })

  function isNew({ type, tool_use_id }: Json): boolean {
    if (type !== "tool_result") return true
    const id = String(tool_use_id)
    return !seen.has(id) && seen.add(id) !== undefined
  }
}
