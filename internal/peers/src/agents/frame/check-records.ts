import { type AssistantMessage, type Message, SessionManager, type SessionSource } from "@treelog/session-core"
import { kindOf, lastReply } from "@treelog/session-core/adapter"
import { verifySession } from "@treelog/session-core/maintenance"
import { toAnthropicMessages } from "@treelog/session-core/messages"
import { MemorySessionIndex } from "@treelog/session-core/search"
import { sentBlocks } from "../claude-code/sent-blocks.js"
import type { Json } from "../model/blocks.js"
import type { Findings } from "./agent.js"
import { compareBlocks } from "./compare-blocks.js"
import { collected } from "./run-agent.js"
import { type CheckedFields, unknownFields } from "./unknown-fields.js"

/** What the model server says that an answer has. Tokens. */
const ANSWER_TOKENS = 5

/** An agent's own, or files of a format that treelog writes too. */
type CheckedStorage = SessionSource & {
  report?(path: string): Promise<{ readonly unknownKinds: Iterable<string> }>
}

/** What was done with an agent. */
export interface Done {
  /** The first prompts of its sessions, in any order. */
  readonly prompts: readonly string[]
  /** The messages of the last request for a session, by its id. */
  readonly sent: (id: string) => readonly Json[] | undefined
  /** How many answers the sessions have. */
  readonly answers: number
  /** The model that they are for, as the agent names it. Default: that of the last reply of each. */
  readonly target?: { readonly provider: string; readonly model: string }
  /** Whether it sends the thoughts of a reply again, where its model is the one that replied. Default: it does. */
  readonly sendsOwnThoughts?: boolean
  /** What it stores, and the fields that were looked at. */
  readonly fields?: CheckedFields
}

/** Compares the context of each session with the last request for it, and what is counted with the answers of the model. */
export async function checkRecords(storage: CheckedStorage, done: Done): Promise<Findings> {
  const sessions = new SessionManager({ storage: storage })
  const differences: string[] = []
  const unknown = new Set<string>()
  const listed = await collected(sessions.listAll())
  const found = listed.map(({ firstMessage }) => firstMessage).sort()
  if (String(found) !== String([...done.prompts].sort())) differences.push(`listed are ${JSON.stringify(found)}`)
  for (const { id, path, error } of listed) {
    if (error) differences.push(`${path}: ${error.message}`)
    if (error) continue
    for (const { message } of (await verifySession(sessions, path)).diagnostics) differences.push(`${id} ${message}`)
    for (const kind of await unknownKinds(storage, sessions, path)) unknown.add(kind)
    const { messages } = await sessions.readContext(path)
    const target = done.target ?? lastReply(messages)
    const meant = done.sendsOwnThoughts === false ? messages.map((one) => withoutThoughts(one, target)) : messages
    const read = toAnthropicMessages(meant, { repair: false, target }).messages as unknown as Json[]
    // The last answer was not sent yet.
    const last = read.map(({ role }) => role).lastIndexOf("assistant")
    const sent = done.sent(id)
    if (!sent) continue
    for (const fault of compareBlocks(sentBlocks(sent), sentBlocks(read.slice(0, last))))
      differences.push(`${id} ${fault}`)
  }
  if (done.fields) for (const name of await unknownFields(done.fields)) unknown.add(name)
  const index = new MemorySessionIndex(storage)
  for (const { message } of (await index.update()).failed) differences.push(message)
  const tokens = (await index.usage({})).reduce((sum, { totals }) => sum + totals.output, 0)
  if (tokens !== done.answers * ANSWER_TOKENS)
    differences.push(`${tokens} tokens of answers are counted, not ${done.answers * ANSWER_TOKENS}`)
  return { differences, unknown: [...unknown] }
}

/** The kind of all entries that treelog does not know. */
const UNKNOWN = kindOf({ type: "no kind", id: "", parentId: null, timestamp: "" })

async function unknownKinds(
  storage: CheckedStorage,
  sessions: SessionManager<SessionSource>,
  path: string,
): Promise<Iterable<string>> {
  if (storage.report) return (await storage.report(path)).unknownKinds
  const session = await sessions.open(path, { access: "read" })
  return session.getEntries().flatMap((entry) => (kindOf(entry) === UNKNOWN ? entry.type : []))
}

/** A message without the thoughts of a model. */
function withoutThoughts(message: Message, target: Done["target"]): Message {
  const { role, provider, model, content } = message as Partial<AssistantMessage>
  if (role !== "assistant" || !content || provider !== target?.provider || model !== target?.model) return message
  return { ...message, content: content.filter(({ type }) => type !== "thinking") } as Message
}
