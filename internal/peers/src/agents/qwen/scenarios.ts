import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { SessionManager, type SessionStorage } from "@treelog/session-core"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { type AgentPlace, collected, runAgent } from "../frame/run-agent.js"
import { blocksOf, type Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { call } from "../model/prompt-calls.js"

const MODEL = "claude-sonnet-4-5"

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
      `${call("run_shell_command", { command: "echo one", is_background: false, description: "x" })}\n${read}`,
      call("read_file", { file_path: join(place.project, "none.txt") }),
      "What is @pixel.png",
      call("agent", { description: "Find it", prompt: "Find the thing", subagent_type: "general-purpose" }),
      "What now?",
    ]
    for (const [at, prompt] of prompts.entries()) await ask(place, model, prompt, at > 0 ? ["--continue"] : [])
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

function ask(place: AgentPlace, model: ModelServer, prompt: string, more: readonly string[] = []): Promise<string> {
  const api = { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: model.url, ANTHROPIC_MODEL: MODEL }
  const local = { ...place, env: { ...place.env, ...api } }
  return runAgent(local, "qwen", ["--auth-type", "anthropic", "-m", MODEL, "-y", "-p", prompt, ...more])
}

/** The messages of the last request for the session, and not for what looks for memories or for a sub-agent, without what Qwen Code does not store. */
function lastFor({ requests }: ModelServer): readonly Json[] {
  const own = requests.filter(({ messages, tools }) => {
    const [first] = messages as Json[]
    return ((tools ?? []) as Json[]).length > 10 && !JSON.stringify(first).includes('Find the thing"')
  })
  return ((own.at(-1)?.messages ?? []) as Json[]).map(({ role, content }) => ({
    role,
    content: blocksOf(content).filter(({ text }) => !NOT_STORED.test(String(text))),
  }))
}

const NOT_STORED =
  /^<system-reminder>\n(?:The following (?:skills|tools) are|The current date is|This is the Qwen Code\.)/

/** @param sent for each session, in the order of their creation */
async function compare(
  { home }: AgentPlace,
  { requests }: ModelServer,
  prompts: readonly string[],
  sent: readonly (readonly Json[])[],
): Promise<Findings> {
  const storage = await openAgent("qwen", { env: { HOME: home }, cacheDir: null })
  const listed = await collected(new SessionManager({ storage: storage as SessionStorage }).listAll())
  const ids = listed.sort((a, b) => (a.messageCount ?? 0) - (b.messageCount ?? 0)).map(({ id }) => id)
  const target = { provider: "anthropic", model: MODEL }
  return checkRecords(storage, { prompts, sent: (id) => sent[ids.indexOf(id)], answers: requests.length, target })
}
