import { isTreelogError, type Session } from "@treelog/session-core"

const sessions = new Set<Session>()
let isListening = false

/**
 * Writes what a session has not stored yet when the process exits: by `process.exit`, after an uncaught error, or because there is
 * nothing left to do. A signal that ends the process at once (SIGKILL; SIGTERM and SIGINT without a listener) leaves no time for it. What
 * cannot be written is an error of the process, after all sessions were tried.
 * @returns a function that ends this; call it when the session is closed
 */
export function flushOnExit(session: Session): () => void {
  sessions.add(session)
  if (!isListening) process.on("exit", flushAll)
  isListening = true
  return () => {
    sessions.delete(session)
  }
}

function flushAll(): void {
  const faults: unknown[] = []
  for (const session of sessions) {
    try {
      session.flushSync()
    } catch (error) {
      if (!isTreelogError(error, "SessionClosedError")) faults.push(error)
    }
  }
  if (faults.length > 1) throw new AggregateError(faults, `${faults.length} sessions could not be written`)
  if (faults.length === 1) throw faults[0]
}
