import type { Session, SessionInfo } from "@treelog/session-core"
import type {
  FilterValues,
  IndexUpdateOptions,
  IndexUpdateReport,
  SearchQuery,
  SessionHits,
  SumOptions,
  UsageQuery,
  UsageSums,
} from "@treelog/session-core/search"

/** The sessions of a folder, an absolute path, or of its project. Default: of all folders. */
interface Scoped {
  readonly scope?: string | undefined
}

/** Hits of a session, and where it is. */
interface FoundSession extends SessionHits {
  readonly source: unknown
}

/** The sessions that are served: a `Library` of `@treelog/stores`. */
export interface PastSessions<Found extends FoundSession = FoundSession> {
  /** The newest first. */
  list(query: Scoped & FilterValues, options: ListOptions): AsyncIterable<SessionInfo>
  isAny(query: Scoped): Promise<boolean>
  /** Opens the session with this id that has the entry, or the part of it that has. @throws SessionNotFoundError */
  openEntry(place: Scoped & { readonly session: string; readonly entry?: string | undefined }): Promise<Session>
  titleOf(found: Pick<Found, "session" | "source">, signal: AbortSignal): Promise<string>
  update(options: IndexUpdateOptions): Promise<Pick<IndexUpdateReport, "failed">>
  search(query: SearchQuery & Scoped): Promise<{ readonly sessions: readonly Found[]; readonly isMore: boolean }>
  usage(
    query: Omit<UsageQuery, "by" | "per" | "except"> & Scoped,
    kinds: readonly NonNullable<UsageQuery["by"]>[],
    options: SumOptions,
  ): Promise<UsageSums<unknown>>
}

interface ListOptions {
  readonly limit?: number | undefined
  readonly signal?: AbortSignal
  /** Called where the limit left sessions out. */
  readonly onMore?: () => void
}
