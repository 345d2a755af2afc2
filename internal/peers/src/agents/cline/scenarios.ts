import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"

const MODEL = "claude-sonnet-4-5"
const call = (name: string, args: object): string => `CALL ${name} ${JSON.stringify(args)}`

/** A session with calls that succeed and fail, and one with a file. A terminal is needed to go on with one. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    const settings = { provider: "anthropic", apiKey: "none", model: MODEL, baseUrl: `${model.url}/v1` }
    const anthropic = { settings, updatedAt: "2026-11-26T01:00:00.000Z", tokenSource: "manual" }
    const folder = join(place.home, ".cline", "data", "settings")
    mkdirSync(folder, { recursive: true })
    const providers = { version: 1, lastUsedProvider: "anthropic", providers: { anthropic } }
    writeFileSync(join(folder, "providers.json"), JSON.stringify(providers))
    const calls = [
      call("run_commands", { commands: ["echo one"] }),
      call("read_files", { files: [{ path: file }] }),
      call("read_files", { files: [{ path: join(place.project, "none.txt") }] }),
      call("editor", { path: file, old_text: "one", new_text: "two" }),
    ]
    const prompts = [calls.join("\n"), "What is @one.txt"]
    const sent = new Map<string, readonly Json[]>()
    const storage = await openAgent("cline", { env: { HOME: place.home }, cacheDir: null })
    // Without this, a server of Cline's would go on running.
    const alone = { ...place, env: { ...place.env, CLINE_SESSION_BACKEND_MODE: "local" } }
    for (const prompt of prompts) {
      await runAgent(alone, "cline", ["-P", "anthropic", "-k", "none", "-m", MODEL, prompt])
      for await (const { id = "" } of storage.list())
        if (!sent.has(id)) sent.set(id, withThoughts((model.requests.at(-1)?.messages ?? []) as Json[]))
    }
    return checkRecords(storage, {
      prompts,
      sent: (id) => sent.get(id),
      answers: model.requests.length,
      target: { provider: "anthropic", model: MODEL },
    })
  },
}

/** Cline does not send its thoughts again, as the README of the reader says. */
function withThoughts(messages: readonly Json[]): Json[] {
  const thought = { type: "text", text: "<thinking>\nI think.\n</thinking>" }
  return messages.map(({ role, content }) => ({
    role,
    content: role === "assistant" ? [thought, ...blocksOf(content)] : content,
  }))
}
