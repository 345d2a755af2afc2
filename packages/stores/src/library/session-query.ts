import type { SessionInfo } from "@treelog/session-core"
import { isOfFolder } from "@treelog/session-core/adapter"
import type { IndexedSession, IndexFilter } from "@treelog/session-core/search"
import type { ListedSource } from "./source.js"

/** Which sessions an answer is about. Plain data: every caller has the same. */
export interface SessionFilter {
  /** Sessions of this folder, an absolute path, or of its project. Default: of all folders. */
  readonly scope?: string | undefined
  /** Sessions that this agent made. */
  readonly agent?: string | undefined
}

/** Which sessions are listed. */
export interface SessionQuery extends SessionFilter {
  /** Those whose last message is of this time or later. Milliseconds since 1970. */
  readonly since?: number | undefined
  /** Those whose last message is older. Milliseconds since 1970. */
  readonly until?: number | undefined
}

/** The agent that made a session. */
export function agentOf({ agent }: Pick<SessionInfo, "agent">, { madeBy }: Pick<ListedSource, "madeBy">): string {
  return agent ?? madeBy
}

/** Whether a session of the scope is to be listed. */
export function isListed(
  { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, agent }: SessionQuery,
  session: Pick<SessionInfo, "modified" | "agent">,
  source: ListedSource,
): boolean {
  const { modified } = session
  return modified >= since && modified < until && (agent === undefined || agentOf(session, source) === agent)
}

/** Whether it leaves sessions of the scope out. */
export function isNarrow({ since, until, agent }: SessionQuery): boolean {
  return since !== undefined || until !== undefined || agent !== undefined
}

type Scoped = Pick<SessionFilter, "scope">

/** Makes a query one for the index of a source: its scope becomes a condition, and of agents the index knows. */
export function indexFilter<Filter extends IndexFilter>(
  { scope, ...filter }: Scoped & Filter,
  source: ListedSource,
): Omit<Scoped & Filter, "scope"> & Pick<IndexFilter, "isWanted"> {
  if (scope === undefined) return filter
  const isWanted = (session: IndexedSession): boolean =>
    isOfFolder(session, scope, source.projectOf) && filter.isWanted?.(session) !== false
  return { ...filter, isWanted }
}
