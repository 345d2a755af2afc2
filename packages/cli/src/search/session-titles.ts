import { isTreelogError, type SessionInfo, type SessionStorage } from "@treelog/session-core"
import { isCurrentSummary } from "@treelog/session-core/adapter"
import type { IndexedSession } from "@treelog/session-core/search"
import { promptsOf } from "../prompts/session-prompts.js"

/** What lists know of a session, where they know it. */
export async function listedInfo(storage: SessionStorage, key: string): Promise<SessionInfo | undefined> {
  const { cached } = (await storage.summaries?.find(key)) ?? {}
  return cached?.isCurrent && isCurrentSummary(cached.state) ? (cached.state.info as SessionInfo) : undefined
}

/** The name of a session, or else the first that its user said: read from its beginning. Empty where it has neither. */
export async function sessionTitle(
  storage: SessionStorage,
  { key, name }: Pick<IndexedSession, "key" | "name">,
  signal: AbortSignal,
): Promise<string> {
  if (name !== "") return name
  try {
    // Reading a session of another program means to convert it, or to compare all its bytes with a digest.
    const listed = storage.supports.writes ? undefined : await listedInfo(storage, key)
    if (listed?.name || listed?.firstMessage) return listed.name || listed.firstMessage
    for await (const prompt of promptsOf(storage, key, signal)) return prompt
    return ""
  } catch (error) {
    // It was deleted or replaced after it was found.
    if (isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")) return ""
    throw error
  }
}
