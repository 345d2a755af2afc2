import type { SessionInfo } from "@treelog/session-core"
import { foldText } from "@treelog/session-core/prompt-history"
import type { Snippet } from "@treelog/session-core/search"
import { TEST_START } from "@treelog-internal/test-kit"
import type { SaidTerms } from "../../../src/search/sessions-saying.js"
import type { SessionView } from "../../../src/tui/sessions/session-row.js"
import { type SessionsState, sessionsState, takeSaid, takeSessions } from "../../../src/tui/sessions/sessions-state.js"

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

/** With what an index has of the query: for each term the sessions, by their ids, with a text that has it. */
export function withSaid(state: SessionsState, texts: Readonly<Record<string, readonly string[]>>): SessionsState {
  return takeSaid(state, saidIn(texts, state.terms))
}

/** What an index answers that has these texts. */
export function saidIn(texts: Readonly<Record<string, readonly string[]>>, terms: readonly string[]): SaidTerms {
  return new Map(
    terms.map((term) => [
      term,
      new Map(
        Object.entries(texts).flatMap(([id, all]) => {
          const text = all.find((one) => foldText(one).includes(term))
          return text === undefined ? [] : [[`/store/${id}.jsonl`, snippet(text, term)] as const]
        }),
      ),
    ]),
  )
}

export function snippet(text: string, term: string): Snippet {
  const from = text.toLowerCase().indexOf(term)
  const matches = from === -1 ? [] : [[from, from + term.length] as const]
  return { text, matches, isCutBefore: false, isCutAfter: false }
}

export function shownIds({ shown }: SessionsState): string[] {
  return shown.map((row) => row.info.id)
}
