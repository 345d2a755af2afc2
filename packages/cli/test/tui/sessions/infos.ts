import type { SessionInfo } from "@treelog/session-core"
import { TEST_START } from "@treelog-internal/test-kit"
import { rowPrompts, type SessionView } from "../../../src/tui/sessions/session-row.js"
import {
  type SessionsState,
  sessionsState,
  takePrompts,
  takeSessions,
} from "../../../src/tui/sessions/sessions-state.js"

export const PROJECT = "/home/me/shop"
export const VIEW: SessionView = { scope: "project", sort: "activity", named: false, paths: false }

const HOUR = 3_600_000

/** A session of the project, `hours` old. */
export function info(id: string, hours: number, more: Partial<SessionInfo> = {}): SessionInfo {
  return {
    path: `/store/${id}.jsonl`,
    id,
    cwd: PROJECT,
    created: TEST_START - hours * HOUR,
    modified: TEST_START - hours * HOUR,
    messageCount: 2,
    firstMessage: `first of ${id}`,
    size: 100,
    status: "complete",
    ...more,
  }
}

export function broken(id: string): SessionInfo {
  return info(id, 1, { cwd: "", error: { code: "InvalidSessionError", message: `/store/${id}.jsonl is no session.` } })
}

/** With room for ten rows, and everything listed. */
export function stateWith(infos: readonly SessionInfo[], view: Partial<SessionView> = {}, query = ""): SessionsState {
  const empty = sessionsState(PROJECT, { ...VIEW, ...view }, query)
  const state = takeSessions(empty, infos, view.scope ?? "project")
  return { ...state, window: { ...state.window, height: 10 }, progress: { isListing: false } }
}

export function withPrompts(state: SessionsState, prompts: Readonly<Record<string, readonly string[]>>): SessionsState {
  return takePrompts(
    state,
    new Map(Object.entries(prompts).map(([id, texts]) => [`/store/${id}.jsonl`, rowPrompts(texts)])),
  )
}

export function shownIds({ shown }: SessionsState): string[] {
  return shown.map((row) => row.info.id)
}
