import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { openAgent } from "@treelog/agents"
import { SessionManager } from "@treelog/session-core"
import type { Findings, Scenario } from "../frame/agent.js"
import { checkRecords } from "../frame/check-records.js"
import { type AgentPlace, collected, killAgent, runAgent } from "../frame/run-agent.js"
import type { Json } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { PIXEL } from "../model/pixel.js"
import { call, HANG } from "../model/prompt-calls.js"

const MODEL = "claude-sonnet-4-5"
const FIRST = "Why is it wrong?"
const INNER = "Find the thing"

/** Calls that succeed and fail, a picture, and a sub-agent, each time in a fork: without an account Droid goes on with no session. */
export const talk: Scenario = {
  name: "talk",
  async run(place, model) {
    const file = join(place.project, "one.txt")
    writeFileSync(file, "one\n")
    writeFileSync(join(place.project, "pixel.png"), Buffer.from(PIXEL, "base64"))
    const prompts = [
      FIRST,
      `${execute("echo one")}\n${call("Read", { file_path: file })}`,
      call("Read", { file_path: join(place.project, "none.txt") }),
      call("Read", { file_path: join(place.project, "pixel.png") }),
      call("Task", { description: "Find it", prompt: INNER, subagent_type: "worker" }),
      "What now?",
    ]
    for (const prompt of prompts) await ask(place, model, prompt)
    return compare(place, model, lastFor(model))
  },
}

/** A process that is killed while a call runs, and in an answer to results. Each time a fork goes on. */
export const killed: Scenario = {
  name: "killed",
  async run(place, model) {
    const started = join(place.project, "started")
    await ask(place, model, FIRST)
    await killAgent(
      ...(await programOf(place, model, `${execute("echo one")}\n${execute("touch started; sleep 50")}`)),
      () => existsSync(started),
    )
    await ask(place, model, "Two")
    const asked = model.requests.length
    await killAgent(
      ...(await programOf(place, model, execute(`echo ${HANG}`))),
      () => model.requests.length > asked + 1,
    )
    await ask(place, model, "Three")
    return compare(place, model, lastFor(model), model.requests.length - 1)
  },
}

function execute(command: string): string {
  return call("Execute", { command, summary: "x", riskLevelReason: "none", riskLevel: "low", timeout: 60 })
}

async function ask(place: AgentPlace, model: ModelServer, prompt: string): Promise<string> {
  return runAgent(...(await programOf(place, model, prompt)))
}

async function programOf(place: AgentPlace, { url }: ModelServer, prompt: string) {
  const home = join(place.home, ".factory")
  mkdirSync(home, { recursive: true })
  const own = {
    model: MODEL,
    displayName: "Local",
    baseUrl: url,
    apiKey: "none",
    provider: "anthropic",
    maxOutputTokens: 8192,
  }
  const settings = join(home, "settings.json")
  if (!existsSync(settings)) writeFileSync(settings, JSON.stringify({ customModels: [own] }))
  const env = { ...place.env, FACTORY_AIRGAP_ENABLED: "true", FACTORY_DROID_AUTO_UPDATE_ENABLED: "false" }
  const id = (await sessionIds(place)).at(-1)
  const goesOn = id === undefined ? [] : ["--fork", id]
  return [
    { ...place, env },
    "droid",
    ["exec", "-m", "custom:Local-0", "--skip-permissions-unsafe", ...goesOn, prompt],
  ] as const
}

/** The messages of the last request for the session, and not for a sub-agent. */
function lastFor({ requests }: ModelServer): readonly Json[] {
  const own = requests.filter(({ messages }) => !JSON.stringify((messages as Json[])[0]).includes(INNER))
  return (own.at(-1)?.messages ?? []) as Json[]
}

/** The ids of the sessions that no other one called, the newest last. */
async function sessionIds({ home }: AgentPlace): Promise<string[]> {
  const storage = await openAgent("droid", { env: { HOME: home }, cacheDir: null })
  const listed = await collected(new SessionManager({ storage }).listAll())
  return listed.sort((a, b) => a.modified - b.modified).map(({ id }) => id)
}

/** Each session is a fork of the one before. @param sent for the newest, @param answers of all */
async function compare(
  place: AgentPlace,
  { requests }: ModelServer,
  sent: readonly Json[],
  answers = requests.length,
): Promise<Findings> {
  const ids = await sessionIds(place)
  const storage = await openAgent("droid", { env: { HOME: place.home }, cacheDir: null })
  return checkRecords(storage, {
    prompts: ids.map(() => FIRST),
    sent: (id) => (id === ids.at(-1) ? sent : undefined),
    answers,
  })
}
