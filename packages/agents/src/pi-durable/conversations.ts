import { type Json, objectIn, objectsIn, type SessionRow, textIn } from "../kit.js"
import { inSentOrder } from "./order.js"

/** What a list needs of a conversation. */
export interface Conversation {
  /** Has `parent`, the entry up to which a fork sees another one, or `owner`, the task that it works for. */
  readonly record: Json
  readonly count: number
  readonly size: number
  /** Milliseconds since 1970. */
  readonly first: number
  readonly modified: number
}

/** A store, in whichever layout. */
export interface Durable {
  readonly conversations: ReadonlyMap<unknown, Conversation>
  /** By conversation, the present values of its documents, by their kinds. */
  readonly documents: ReadonlyMap<unknown, Json>
}

/** The documents that say something of a conversation: an identity, a folder and a model, what calls used. */
export const DOCUMENTS: readonly unknown[] = ["pi.provider", "pi.agent", "pi.usage"]

/** @param records of conversations @param entries of all of them, the oldest first: of each its conversation, its size and its time */
export function conversationsOf(records: readonly Json[], entries: readonly Json[]): Map<unknown, Conversation> {
  const none = { count: 0, size: 0, first: 0, modified: 0 }
  const conversations = new Map(records.map((record): [unknown, Conversation] => [record.id, { record, ...none }]))
  for (const { conversation, size, time } of entries) {
    const one = conversations.get(conversation)
    if (!one) continue
    const at = typeof time === "number" ? time : one.modified
    const times = { first: one.first || at, modified: Math.max(one.modified, at) }
    conversations.set(conversation, { ...one, count: one.count + 1, size: one.size + Number(size), ...times })
  }
  return conversations
}

/** The conversations in which something was said. What a task started is a part of the conversation of that task. */
export function rowsOf(durable: Durable): SessionRow[] {
  return saidIn(durable).map((one) => {
    const { record, count, size, modified } = one
    const owner = durable.conversations.get(objectIn(record, "owner")?.conversationId)
    const state = [count, size, childrenOf(durable, one).length, JSON.stringify(durable.documents.get(record.id))]
    const part = owner && { part: { of: sessionId(durable, owner), role: "subagent" } }
    return { id: sessionId(durable, one), version: state.join(" "), size, modified, ...part }
  })
}

/**
 * What is known of a conversation, then the entries that it sees, in the order in which they are sent.
 * @param entriesOf the own entries of a conversation, oldest first
 */
export function recordsOf(durable: Durable, id: string, entriesOf: (conversation: unknown) => Json[]): Json[] {
  const all = saidIn(durable)
  const own = all.find((one) => sessionId(durable, one) === id)
  if (!own) return []
  const seen = [...seenBy(durable, own)]
  const entries = seen.reverse().flatMap(({ one, to }) => {
    const some = entriesOf(one.record.id).filter(({ id }) => !(Number(id) > to))
    return one === own ? some : some.map((entry) => ({ ...entry, isCopied: true }))
  })
  const parent = seen.at(-2)?.one
  const children = childrenOf(durable, own).map((one) => {
    return { id: sessionId(durable, one), task: objectIn(one.record, "owner")?.taskId }
  })
  const said = { id, first: own.first, parent: parent && sessionId(durable, parent), children }
  const [store, documents] = [sessionId(durable, all[0] ?? own), durable.documents.get(own.record.id) ?? {}]
  return [{ record: "conversation", ...said, store, documents }, ...inSentOrder(entries)]
}

/** The conversation, then those that it is a fork of, each up to the entry that it sees last. */
function* seenBy({ conversations }: Durable, own: Conversation): Generator<{ one: Conversation; to: number }> {
  const seen = new Set<Conversation>()
  let to = Number.POSITIVE_INFINITY
  for (let one: Conversation | undefined = own; one && !seen.has(one); ) {
    seen.add(one)
    yield { one, to }
    const parent = objectIn(one.record, "parent")
    to = Math.min(to, Number(parent?.at))
    one = conversations.get(parent?.conversationId)
  }
}

function saidIn({ conversations }: Durable): Conversation[] {
  return [...conversations.values()].filter(({ count }) => count > 0)
}

function childrenOf(durable: Durable, { record: { id } }: Conversation): Conversation[] {
  return saidIn(durable).filter(({ record }) => objectIn(record, "owner")?.conversationId === id)
}

/** The identity that a provider gets. The ids of conversations are those of other stores too: without one, the time says which store it is. */
function sessionId({ documents }: Durable, { record: { id }, first }: Conversation): string {
  return textIn(objectIn(documents.get(id) ?? {}, "pi.provider") ?? {}, "sessionId") ?? `${first}-${id}`
}

/** The time of an entry: that of its first message. Milliseconds since 1970; undefined where none says it. */
export function timeOf(entry: Json): number | undefined {
  const time = objectsIn(entry.model)[0]?.timestamp
  return typeof time === "number" ? time : undefined
}
