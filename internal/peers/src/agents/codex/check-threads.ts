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
import {
  byKind,
  type CheckedFields,
  documentsIn,
  type KnownFields,
  plain,
  unknownFields,
} from "../frame/unknown-fields.js"
import { type Json, textOf } from "../model/blocks.js"
import type { ModelServer } from "../model/model-server.js"
import { plainId } from "../model/prompt-calls.js"

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

const ITEM = { ...plain("type id status"), internal_chat_message_metadata_passthrough: true } as const
const CONTENT = { ...plain("type text image_url detail"), annotations: true } as const
const LINE = { ...plain("timestamp type ordinal"), metadata: true } as const
const TOKENS = plain(
  "cache_write_input_tokens cached_input_tokens input_tokens output_tokens reasoning_output_tokens total_tokens",
)

/** The fields of the payload of lines whose content is read, by the type of the line and that of its payload; others are kept, or not read. */
const PAYLOADS: Readonly<Record<string, KnownFields>> = {
  message: { ...ITEM, ...plain("role phase"), content: CONTENT },
  reasoning: { ...ITEM, ...plain("encrypted_content"), summary: CONTENT, content: CONTENT },
  function_call: { ...ITEM, ...plain("name namespace arguments call_id") },
  function_call_output: { ...ITEM, ...plain("call_id name namespace"), output: CONTENT },
  custom_tool_call: { ...ITEM, ...plain("name call_id input") },
  custom_tool_call_output: { ...ITEM, ...plain("call_id name"), output: CONTENT },
  local_shell_call: { ...ITEM, ...plain("call_id"), action: true },
  token_count: { ...plain("type"), info: true, rate_limits: true },
  token_usage_record: {
    ...plain("response_id root_turn_id session_id thread_id turn_id"),
    ...{ usage: TOKENS, turn_token_usage: TOKENS, thread_token_usage: TOKENS },
  },
  compacted: {
    ...plain("message window_id window_number first_window_id previous_window_id compaction_response_id"),
    ...({ replacement_history: true, replacement_history_metadata: true, retained_context: true } as const),
    ...({ latest_token_usage_record: true, resume_metadata: true, guardian_history: true } as const),
  },
}

/** The fields of the rollouts in a folder that were looked at. */
function fieldsIn(folder: string): CheckedFields {
  const known = Object.fromEntries(Object.entries(PAYLOADS).map(([kind, payload]) => [kind, { ...LINE, payload }]))
  return byKind(documentsIn(folder, /rollout-.*\.jsonl$/), ({ type, payload }) => (payload as Json).type ?? type, known)
}
