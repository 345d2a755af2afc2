import { isTreelogError, type SessionInfo, type SessionStorage } from "@treelog/session-core"
import { isCurrentSummary } from "@treelog/session-core/adapter"
import type { IndexedSession } from "@treelog/session-core/search"
import { promptsOf } from "../prompts/session-prompts.js"

/** What a list of another program's sessions shows: reading one of them means to convert it, or to compare all its bytes with a digest. */
async function listedTitle(storage: SessionStorage, key: string): Promise<string | undefined> {
  if (storage.supports.writes) return undefined
  const { cached } = (await storage.summaries?.find(key)) ?? {}
  if (!cached?.isCurrent || !isCurrentSummary(cached.state)) return undefined
  const { name, firstMessage } = cached.state.info as SessionInfo
  return name || firstMessage
}

/** The name of a session, or else the first that its user said: read from its beginning. Empty where it has neither. */
export async function sessionTitle(
  storage: SessionStorage,
  { key, name }: Pick<IndexedSession, "key" | "name">,
  signal: AbortSignal,
): Promise<string> {
  if (name !== "") return name
  try {
    const listed = await listedTitle(storage, key)
    if (listed) return listed
    for await (const prompt of promptsOf(storage, key, signal)) return prompt
    return ""
  } catch (error) {
    // It was deleted or replaced after it was found.
    if (isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")) return ""
    throw error
  }
}
