import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { CodexStorage } from "@treelog/agents/codex"
import { SessionManager, type SessionSource } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { toOpenAIInput } from "@treelog/session-core/messages"
import { MemorySessionIndex } from "@treelog/session-core/search"
import type { Findings } from "../frame/agent.js"
import { compareBlocks } from "../frame/compare-blocks.js"
import { collected } from "../frame/run-agent.js"
import { unknownFields } from "../frame/unknown-fields.js"
import { type Json, textOf } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { plainId } from "../model/prompt-calls.js"
import { fieldsIn } from "./known-fields.js"

/** The name of the local server in the settings of Codex. */
export const PROVIDER = "local"

/** What treelog should say of the threads of a scenario. */
export interface Expected {
  /** The first prompt of each session that a list shows. */
  readonly sessions: readonly string[]
  /** The roles of the threads that others started, sorted. */
  readonly parts?: readonly string[]
  /** How many requests were broken off, so that nothing says what they used. Default: none. */
  readonly unanswered?: number
}

/** Compares the context of each thread with the last input that the model got for it, and sums with the responses of the model. */
export async function checkThreads(dir: string, model: ModelServer, expected: Expected): Promise<Findings> {
  const storage = new CodexStorage({ dir, cacheDir: null })
  const sessions = new SessionManager({ storage })
  const differences: string[] = []
  const unknown = new Set<string>()
  const listed = await collected(sessions.listAll())
  const prompts = listed.map(({ firstMessage }) => firstMessage).sort()
  if (!isDeepStrictEqual(prompts, [...expected.sessions].sort()))
    differences.push(`listed are ${JSON.stringify(prompts)}`)
  const named = await collected(storage.list({ parts: true }))
  const roles = named.flatMap(({ part }) => part?.role ?? []).sort()
  if (!isDeepStrictEqual(roles, [...(expected.parts ?? [])].sort()))
    differences.push(`parts are ${JSON.stringify(roles)}`)
  for (const { key, id = "" } of named) {
    const add = (fault: string): void => void differences.push(`${named.length > 1 ? `${id} ` : ""}${fault}`)
    for (const { message } of (await verifySession(sessions, key)).diagnostics) add(message)
    for (const fault of await contextFaults(sessions, key, inputOf(model, id))) add(fault)
    for (const kind of (await storage.report(key)).unknownKinds) unknown.add(kind)
  }
  for (const name of await unknownFields(fieldsIn(join(dir, "sessions")))) unknown.add(name)
  const index = new MemorySessionIndex(storage)
  for (const { message } of (await index.update()).failed) differences.push(message)
  const calls = (await index.usage({})).reduce((sum, { totals }) => sum + totals.calls, 0)
  const answered = model.requests.length - (expected.unanswered ?? 0)
  if (calls !== answered) differences.push(`${calls} responses are counted, not ${answered}`)
  return { differences, unknown: [...unknown] }
}

/** The last input that the model got for a turn of a thread, and not to compact it. */
function inputOf({ requests }: ModelServer, thread: string): Json[] | undefined {
  const own = requests.filter(({ client_metadata: data }) => {
    const { thread_id, "x-codex-turn-metadata": turn } = (data ?? {}) as Json
    return thread_id === thread && !String(turn).includes('"request_kind":"compaction"')
  })
  return own.at(-1)?.input as Json[] | undefined
}

async function contextFaults(
  sessions: SessionManager<SessionSource>,
  key: string,
  sent: readonly Json[] | undefined,
): Promise<string[]> {
  if (!sent) return []
  const session = await sessions.open(key, { access: "read" })
  const { messages } = session.buildSessionContext({ provider: PROVIDER })
  const target = { provider: PROVIDER }
  const read = (toOpenAIInput(messages, { repair: false, target }) as unknown as Json[]).map(comparable)
  // The instructions of the model stand before all. What it answered, and what became of that, stands behind all.
  const theirs = sent.slice(1).map(comparable)
  return compareBlocks(theirs, read.slice(0, theirs.length))
}

/** An item without the differences that packages/agents/src/codex/README.md lists. */
function comparable({
  type = "message",
  role,
  content,
  summary,
  encrypted_content,
  call_id: id,
  name,
  output,
  ...rest
}: Json): Json {
  if (type === "message") return { role, text: textOf(content), images: imagesIn(content) }
  if (type === "reasoning") return { summary, encrypted_content }
  if (type === "function_call") return { call_id: plainId(id), name, arguments: JSON.parse(String(rest.arguments)) }
  if (type === "agent_message") return { role: "user", text: textOf(content), images: [] }
  if (id === undefined) return { role: "user", text: textOf(output), images: [] }
  const call_id = plainId(id)
  if (output === undefined) return { type, call_id, name, input: rest.input }
  const said = typeof output === "string" ? output : textOf(output)
  return { type, call_id, output: said, images: imagesIn(output) }
}

function imagesIn(content: unknown): unknown[] {
  return Array.isArray(content) ? content.flatMap(({ image_url: url }) => url ?? []) : []
}
