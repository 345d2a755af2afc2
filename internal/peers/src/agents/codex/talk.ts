import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { CodexStorage } from "@treelog/codex"
import { SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { toOpenAIInput } from "@treelog/session-core/messages"
import type { Findings, Scenario } from "../frame/agent.js"
import { type AgentPlace, collected, runAgent } from "../frame/run-agent.js"
import { type Json, textOf } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"

const PROVIDER = "local"
const TURNS = [
  'CALL exec_command {"cmd":"echo one"}\nCALL exec_command {"cmd":"echo two"}',
  'CALL multi_agent_v1/spawn_agent {"message":"Look around","agent_type":"default"}',
  "What now?",
]

/** A conversation with calls, and the input of its last request. */
export const talk: Scenario = { name: "talk", run }

async function run(at: AgentPlace, model: ModelServer): Promise<Findings> {
  const place = { ...at, env: { ...at.env, MODEL_KEY: "none" } }
  const dir = join(place.home, ".codex")
  await mkdir(dir)
  await writeFile(join(dir, "config.toml"), configFor(model.url, place.project))
  const ask = (...args: string[]) => runAgent(place, "codex", ["exec", "--skip-git-repo-check", ...args])
  await ask("Why is it wrong?")
  const storage = new CodexStorage({ dir, cacheDir: null })
  const sessions = new SessionManager({ storage })
  const [{ path = "", id = "" } = {}] = await collected(sessions.list(place.project))
  for (const turn of TURNS) await ask("resume", id, turn)
  const sent = model.requests.at(-1)?.input as Json[]

  const faults: string[] = []
  const listed = await collected(sessions.list(place.project))
  if (listed.length !== 1) faults.push(`${listed.length} sessions, not 1: ${listed.map((one) => one.firstMessage)}`)
  if (listed[0]?.firstMessage !== "Why is it wrong?") faults.push(`it begins with ${listed[0]?.firstMessage}`)
  faults.push(...(await verifySession(sessions, path)).diagnostics.map(({ message }) => message))
  const session = await sessions.open(path, { access: "read" })
  const { messages } = session.buildSessionContext({ provider: PROVIDER })
  const ours = (toOpenAIInput(messages, { repair: false, target: { provider: PROVIDER } }) as unknown as Json[]).map(
    comparable,
  )
  // The instructions of the model stand before all, and the last answer behind all.
  const theirs = sent.slice(1).map(comparable)
  for (const [index, item] of theirs.entries())
    if (!isDeepStrictEqual(ours[index], item))
      faults.push(
        `item ${index} is ${JSON.stringify(ours[index])?.slice(0, 300)}, not ${JSON.stringify(item).slice(0, 300)}`,
      )
  if (ours.length - theirs.length !== 2) faults.push(`${ours.length - theirs.length} items are behind, not 2`)
  return { differences: faults, unknown: [] }
}

function configFor(url: string, project: string): string {
  return `model = "gpt-5"
model_provider = "${PROVIDER}"
[model_providers.${PROVIDER}]
name = "${PROVIDER}"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
[projects."${project}"]
trust_level = "trusted"
`
}

/** An item without the differences that packages/codex/README.md lists. */
function comparable({
  type = "message",
  role,
  content,
  summary,
  encrypted_content,
  call_id,
  name,
  output,
  ...rest
}: Json): Json {
  if (type === "message") return { role, text: textOf(content) }
  if (type === "reasoning") return { summary, encrypted_content }
  if (type === "function_call") return { call_id, name, arguments: JSON.parse(String(rest.arguments)) }
  return { type, call_id, output: typeof output === "string" ? output : textOf(output) }
}
