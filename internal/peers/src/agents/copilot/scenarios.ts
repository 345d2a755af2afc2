import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import type { Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"

const MODEL = "claude-sonnet-4.5"
const call = (name: string, args: object): string => `CALL ${name} ${JSON.stringify(args)}`

/** Calls that succeed and fail, in a session that is gone on with. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    const provider = { COPILOT_PROVIDER_TYPE: "anthropic", COPILOT_PROVIDER_BASE_URL: model.url }
    const offline = { COPILOT_OFFLINE: "true", COPILOT_MODEL: MODEL, COPILOT_PROVIDER_API_KEY: "none" }
    const offlinePlace = { ...place, env: { ...place.env, ...provider, ...offline } }
    const prompts = [
      "Why is it wrong?",
      `${call("bash", { command: "echo one", description: "x" })}\n${call("view", { path: file })}`,
      call("edit", { path: file, old_str: "one", new_str: "two" }),
      call("view", { path: join(place.project, "none.txt") }),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries())
      await runAgent(offlinePlace, "copilot", ["-p", prompt, "--allow-all-tools", ...(at > 0 ? ["--continue"] : [])])
    const storage = await openAgent("copilot", { env: { HOME: place.home }, cacheDir: null })
    const sent = ((model.requests.at(-1)?.messages ?? []) as Json[]).map(({ role, content }) => ({
      role,
      content: blocksOf(content).map(withError),
    }))
    const target = { provider: "anthropic", model: MODEL }
    return checkRecords(storage, {
      prompts: prompts.slice(0, 1),
      sent: () => sent,
      answers: model.requests.length,
      target,
    })
  },
}

/** Copilot sends that a call failed as text alone; treelog marks it, as the README of the reader says. */
function withError(block: Json): Json {
  const isError = JSON.stringify(block.content ?? "").includes("Path does not exist")
  return block.type === "tool_result" && isError ? { ...block, is_error: true } : block
}
