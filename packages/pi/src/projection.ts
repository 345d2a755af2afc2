import type { Message, Session, SessionContext, SessionEntry } from "@treelog/session-core"

/** An entry of the context, and the messages that it gives, as pi 1.x has it. */
export interface ProjectedEntry {
  readonly sourceEntry: SessionEntry
  readonly messages: readonly unknown[]
}

/** The entries of the context: the last compaction of the path, what it keeps, and what follows it. */
export function contextEntries(session: Session): SessionEntry[] {
  const path = session.getBranch()
  const at = path.map(({ type }) => type).lastIndexOf("compaction")
  const compaction = path[at]
  if (!compaction) return path
  const { firstKeptEntryId } = compaction as { firstKeptEntryId?: unknown }
  const from = path.findIndex(({ id }) => id === firstKeptEntryId)
  const kept = from === -1 || from >= at ? [] : path.slice(from, at).filter((entry) => !isSystem(entry))
  return [compaction, ...kept, ...path.slice(at + 1)]
}

function isSystem(entry: SessionEntry): boolean {
  return entry.type === "message" && (entry as { message?: { role?: unknown } }).message?.role === "system"
}

/** The roles whose content pi never leaves null. */
const WITH_CONTENT: ReadonlySet<string> = new Set(["system", "user", "assistant", "toolResult"])

/** The context, with messages of other roles as they are stored where their content is null or missing, as pi has it. */
function contextAsPi(session: Session): Pick<SessionContext, "messages" | "entries" | "thinkingLevel" | "model"> {
  const { messages, entries, thinkingLevel, model } = session.buildSessionContext()
  const asStored = (message: Message, index: number): Message => {
    const { content } = message as { content?: unknown }
    if (!Array.isArray(content) || content.length > 0 || WITH_CONTENT.has(message.role)) return message
    const entry = session.getEntry(entries[index] as string)
    if (entry?.type !== "message") return message
    const { message: stored } = entry as { message: Message }
    return "content" in stored && stored.content !== null && stored.content !== undefined ? message : stored
  }
  return { messages: messages.map(asStored), entries, thinkingLevel, model }
}

/** The messages of the context by the entries that they come from. pi 1.x has the system messages that a compaction keeps in its own. */
export function projectionOf(session: Session): {
  entries: ProjectedEntry[]
  messages: readonly unknown[]
  thinkingLevel: string
  model: { provider: string; modelId: string } | null
} {
  const { messages, entries: sources, thinkingLevel, model } = contextAsPi(session)
  const bySource = new Map<string, unknown[]>()
  messages.forEach((message, index) => {
    const id = sources[index] as string
    const of = bySource.get(id)
    if (of) of.push(message)
    else bySource.set(id, [message])
  })
  const entries = contextEntries(session).map((sourceEntry) => ({
    sourceEntry,
    messages: bySource.get(sourceEntry.id) ?? [],
  }))
  return { entries, messages: entries.flatMap((entry) => entry.messages), thinkingLevel, model }
}

/** The context. Only sessions with system messages take the time for a projection, which omits those that a compaction keeps. */
export function contextOf(session: Session): Omit<ReturnType<typeof projectionOf>, "entries"> {
  const { messages, thinkingLevel, model } = contextAsPi(session)
  if (messages.some(({ role }) => role === "system")) return projectionOf(session)
  return { messages, thinkingLevel, model }
}
