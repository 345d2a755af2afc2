import { isEntry, messageText, type Session, type SessionManager } from "@treelog/session-core"
import type { ImportedPrompt } from "../prompt.js"

/**
 * Reads the prompts of all sessions of a store: the texts of user messages on all branches.
 * @param onFault called for a session that cannot be read, which is skipped
 */
export async function* promptsOfSessions(
  sessions: SessionManager,
  onFault: (path: string, error: unknown) => void,
): AsyncGenerator<ImportedPrompt> {
  for await (const { path, error } of sessions.listAll()) {
    const [read] = await Promise.allSettled([error ? Promise.reject(error) : promptsOfSession(sessions, path)])
    if (read.status === "rejected") onFault(path, read.reason)
    else yield* read.value
  }
}

async function promptsOfSession(sessions: SessionManager, path: string): Promise<ImportedPrompt[]> {
  const session = await sessions.open(path, { access: "read" })
  try {
    return [...userPrompts(session)]
  } finally {
    await session.close()
  }
}

function* userPrompts(session: Session): Generator<ImportedPrompt> {
  const origin = { cwd: session.getCwd(), sessionId: session.getSessionId() }
  for (const entry of session.getEntries()) {
    if (!isEntry(entry, "message") || entry.message.role !== "user" || !("content" in entry.message)) continue
    const text = messageText(entry.message)
    if (text === "") continue
    yield {
      text,
      createdAt: typeof entry.timestamp === "string" ? Date.parse(entry.timestamp) : Number.NaN,
      ...origin,
    }
  }
}
