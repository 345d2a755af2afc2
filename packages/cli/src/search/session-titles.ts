import { isTreelogError, type SessionStorage } from "@treelog/session-core"
import type { IndexedSession } from "@treelog/session-core/session-index"
import { promptsOf } from "../prompts/session-prompts.js"

/** The name of a session, or else the first that its user said: read from its beginning. Empty where it has neither. */
export async function sessionTitle(
  storage: SessionStorage,
  { key, name }: Pick<IndexedSession, "key" | "name">,
  signal: AbortSignal,
): Promise<string> {
  if (name !== "") return name
  try {
    for await (const prompt of promptsOf(storage, key, signal)) return prompt
    return ""
  } catch (error) {
    // It was deleted or replaced after it was found.
    if (isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")) return ""
    throw error
  }
}
