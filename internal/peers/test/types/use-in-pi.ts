// Where pi's types ask for pi's session manager, and get treelog's: compiled with the types of each version of pi.

import type {
  CreateAgentSessionOptions,
  ExtensionContext,
  SessionManager as PiSessionManager,
} from "@earendil-works/pi-coding-agent"
import { createPiSessions, SessionManager } from "@treelog/pi"
import { MemorySessionStorage } from "@treelog/session-core"

const sessionManager: SessionManager = SessionManager.create(".")

export const options: CreateAgentSessionOptions = { sessionManager }
export const asPi: PiSessionManager = sessionManager
export const inExtensions: ExtensionContext["sessionManager"] = sessionManager
export const statics: typeof PiSessionManager = SessionManager

export const made: readonly CreateAgentSessionOptions[] = [
  { sessionManager: SessionManager.open("session.jsonl") },
  { sessionManager: SessionManager.continueRecent(".") },
  { sessionManager: SessionManager.inMemory() },
  { sessionManager: SessionManager.forkFrom("session.jsonl", ".") },
]

export async function hosted(): Promise<CreateAgentSessionOptions> {
  return { sessionManager: await createPiSessions({ storage: new MemorySessionStorage() }).create("/work") }
}

// @ts-expect-error What else is called so is not taken for it.
export const other: CreateAgentSessionOptions = { sessionManager: { getCwd: () => "." } }
