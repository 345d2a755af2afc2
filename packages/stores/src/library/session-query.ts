import type { SessionInfo } from "@treelog/session-core"
import type { FilterValues, sessionMatcher } from "@treelog/session-core/search"
import type { ListedSource } from "./source.js"

type ListLimits = Parameters<typeof sessionMatcher>[0]

/** Which sessions an answer is about. Plain data: every caller has the same. */
export interface SessionFilter extends FilterValues {
  /** Sessions of this folder, an absolute path, or of its project. Default: of all folders. */
  readonly scope?: string | undefined
}

/** Which sessions are listed. */
export interface SessionQuery extends SessionFilter, ListLimits {}

/** The agent that made a session. */
export function agentOf({ agent }: Pick<SessionInfo, "agent">, { madeBy }: Pick<ListedSource, "madeBy">): string {
  return agent ?? madeBy
}

/** Whether it leaves sessions of the scope out. */
export function isNarrow({ scope: _, ...limits }: SessionQuery): boolean {
  return Object.values(limits).some((limit) => limit !== undefined)
}
