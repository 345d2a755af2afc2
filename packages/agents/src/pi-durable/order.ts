import { combinedSystemMessage } from "@treelog/session-core/adapter"
import { type Json, objectsIn } from "../kit.js"

/**
 * The entries of a conversation in the order in which pi-durable sends them: results behind their reply, in the order of its calls, and the prompt of the
 * system before prompts of the user that came before it. A head has its own in `system`, with those that it keeps.
 */
export function inSentOrder(entries: readonly Json[]): Json[] {
  const ordered: Json[] = []
  const placed = new Set<Json>()
  for (const [at, entry] of entries.entries()) {
    if (placed.has(entry)) continue
    ordered.push(entry.head === undefined ? entry : { ...entry, system: systemOf(entries, at, placed) })
    for (const result of resultsOf(entries, at)) {
      placed.add(result)
      ordered.push(result)
    }
  }
  const first = ordered.findIndex((entry) => !isOf("user", entry))
  const lead = ordered.slice(first, first + 1).filter((entry) => isSystem(entry))
  return first > 0 ? [...lead, ...ordered.slice(0, first), ...ordered.slice(first + lead.length)] : ordered
}

/** The results of the calls of a reply: of each the first before the next reply. */
function resultsOf(entries: readonly Json[], at: number): Json[] {
  const isReply = ({ role }: Json): boolean => role === "assistant"
  const reply = messagesOf(entries[at]).filter(isReply).at(-1)
  const calls = objectsIn(reply?.content).filter(({ type }) => type === "toolCall")
  const results = new Map<unknown, Json>()
  for (let next = at + 1; calls.length > 0 && next < entries.length; next++) {
    const entry = entries[next] as Json
    const [message, ...others] = messagesOf(entry)
    if (entry.head !== undefined || messagesOf(entry).some(isReply)) break
    const isResult = message?.role === "toolResult" && others.length === 0
    if (isResult && !results.has(message.toolCallId)) results.set(message.toolCallId, entry)
  }
  return calls.flatMap(({ id }) => [results.get(id) ?? []].flat())
}

/** The prompt of the system with which a context from a head on begins. One that comes first behind the head does not stand there any more. */
function systemOf(entries: readonly Json[], at: number, placed: Set<Json>): unknown {
  const { id, head } = entries[at] as Json
  const from = head === id ? at : entries.findIndex((entry) => entry.id === head)
  const kept = from < 0 ? [] : entries.slice(from, at).filter((entry) => entry.head === undefined)
  const next = entries.slice(at + 1).find((entry) => !isOf("user", entry))
  const isFirst = next && isSystem(next) && kept.every((entry) => isOf("user", entry))
  if (isFirst) placed.add(next)
  return combinedSystemMessage([...kept, ...(isFirst ? [next] : [])].flatMap(messagesOf))
}

/** Whether an entry gives the model nothing else. */
function isOf(role: string, entry: Json): boolean {
  return messagesOf(entry).every((message) => message.role === role)
}

function isSystem(entry: Json): boolean {
  return entry.head === undefined && messagesOf(entry).length > 0 && isOf("system", entry)
}

function messagesOf(entry: Json | undefined): Json[] {
  return objectsIn(entry?.model)
}
