import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { loadDriver } from "@treelog/index-sqlite"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"

/** Behind a line of its own, since OpenClaw puts the time before a prompt. */
const call = (...calls: readonly (readonly [name: string, args: object])[]): string =>
  ["Do it:", ...calls.map(([name, args]) => `CALL ${name} ${JSON.stringify(args)}`)].join("\n")

/** Calls that succeed and fail, each in a process of its own. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const folder = join(place.home, ".openclaw")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(place.project, "one.txt"), "one\n")
    const cost = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
    const limits = { contextWindow: 100_000, maxTokens: 1_000, cost }
    const models = [{ id: "local-1", name: "local", input: ["text", "image"], reasoning: true, ...limits }]
    const local = { baseUrl: model.url, apiKey: "none", api: "anthropic-messages", models }
    const defaults = { model: { primary: "local/local-1" }, workspace: place.project, skipBootstrap: true }
    const config = { models: { mode: "replace", providers: { local } }, agents: { defaults } }
    writeFileSync(join(folder, "openclaw.json"), JSON.stringify(config))
    const prompts = [
      "Why is it wrong?",
      call(["exec", { command: "echo one" }], ["read", { path: "one.txt" }]),
      call(["edit", { path: "one.txt", edits: [{ oldText: "one", newText: "two" }] }]),
      call(["read", { path: "none.txt" }]),
      "What now?",
    ]
    for (const prompt of prompts)
      await runAgent(place, "openclaw", ["agent", "--local", "--session-key", "agent:main:main", "--message", prompt])
    const storage = await openAgent("openclaw", { env: { HOME: place.home }, cacheDir: null, loadDriver })
    const sent = ((model.requests.at(-1)?.messages ?? []) as Json[]).map(({ role, content }) => ({
      role,
      content: [...(role === "assistant" ? [THINKING] : []), ...blocksOf(content).filter(isStored).map(withoutTime)],
    }))
    return checkRecords(storage, {
      ...{ prompts: prompts.slice(0, 1), sent: () => sent, answers: model.requests.length },
      target: { provider: "local", model: "local-1" },
    })
  },
}

// As the README of the reader says: OpenClaw sends no thinking of former replies, the time before each prompt, and a block with its own state.

const THINKING = { type: "thinking", thinking: "I think.", signature: "c2lnbmF0dXJl" }

function isStored({ text }: Json): boolean {
  return !String(text).startsWith("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>")
}

function withoutTime(block: Json): Json {
  if (typeof block.text !== "string") return block
  return { ...block, text: block.text.replace(/^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d [^\]]+\] /, "") }
}
