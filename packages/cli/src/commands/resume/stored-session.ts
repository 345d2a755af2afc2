import type { SessionInfo } from "@treelog/session-core"
import { commandSessions, type Sessions } from "../../sessions/command-sessions.js"
import type { MeantStore } from "../../sessions/program-stores.js"
import type { Scope } from "../../sessions/scope.js"

/** A store that is open. */
export interface ResumeStore extends MeantStore {
  readonly sessions: Sessions
}

/** What it takes to continue a session. */
export interface StoredSession {
  readonly store: ResumeStore
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string | undefined
}

export async function resumeStores(stores: readonly MeantStore[]): Promise<ResumeStore[]> {
  const opened: ResumeStore[] = []
  for (const store of stores) opened.push({ ...store, sessions: await commandSessions(store.context) })
  return opened
}

/** The sessions of a scope, as they are found. */
export function sessionsOf(
  { sessions: { manager } }: ResumeStore,
  { cwd }: Scope,
  signal: AbortSignal,
): AsyncGenerator<SessionInfo> {
  return cwd === undefined ? manager.listAll({ signal }) : manager.list(cwd, { signal })
}
