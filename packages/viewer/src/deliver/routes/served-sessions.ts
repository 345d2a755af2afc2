import { type SessionInfo, type SessionManager, type SessionSource, TreelogError } from "@treelog/session-core"
import type { ListOptions } from "@treelog/session-core/adapter"
import {
  type IndexUpdateOptions,
  type SearchQuery,
  type SessionHits,
  type SessionIndex,
  type SumOptions,
  sessionMatcher,
  sumUsage,
  type UsageQuery,
  type UsageSums,
} from "@treelog/session-core/search"

import type { LiveLine } from "../../wire.js"

type ListLimits = Parameters<typeof sessionMatcher>[0]

export interface ServedSource {
  readonly storage: SessionSource
  /** Empty for the only one. */
  readonly name: string
  /** The agent of the sessions whose headers name none; empty where that is not known. */
  readonly madeBy: string
}

export interface ServedSession<From> extends SessionInfo {
  readonly source: From
  /** Where the other copies of it are. */
  readonly copies: readonly { readonly source: From }[]
}

/** Looks once at the machine. @returns what says of a session what it does: undefined of one that does nothing */
export type LiveStates<From> = () => Promise<(session: ServedSession<From>) => Promise<LiveLine | undefined>>

/** Called with a source that cannot be read, and why. */
export type OnServedError<From> = (source: From, error: TreelogError) => void

/** The sessions that are served: a `Library` of `@treelog/stores`, or those of one storage. They are only read. */
export interface ServedSessions<From extends ServedSource = ServedSource> {
  readonly sources: readonly From[]
  only(sources: readonly From[], onError: OnServedError<From>): ServedSessions<From>
  list(
    query: ListLimits & { readonly scope?: string | undefined },
    options: Pick<ListOptions, "signal" | "limit"> & { readonly order?: "newest" | "streamed" },
  ): AsyncIterable<ServedSession<From>>
  search(query: SearchQuery): Promise<{
    readonly sessions: readonly (SessionHits & { readonly source: From })[]
    readonly isMore: boolean
  }>
  usage(
    query: Omit<UsageQuery, "by" | "per" | "sources">,
    kinds: readonly NonNullable<UsageQuery["by"]>[],
    options: SumOptions,
  ): Promise<UsageSums<From>>
  update(options: IndexUpdateOptions): Promise<unknown>
}

/** The sessions of one storage. @param index without it, what asks for it throws IndexUnavailableError */
export function sessionsOf(sessions: SessionManager<SessionSource>, index: SessionIndex | undefined): ServedSessions {
  const source: ServedSource = { storage: sessions.storage, name: "", madeBy: "" }
  const opened = async (): Promise<SessionIndex> => {
    if (index) return index
    throw new TreelogError("IndexUnavailableError", "These routes have no index.", { reason: "closed" })
  }
  const upToDate = async (): Promise<SessionIndex> => {
    await (await opened()).update()
    return opened()
  }
  const served: ServedSessions = {
    sources: [source],
    only: () => served,
    async *list({ scope, ...query }, { limit, ...options }) {
      const isNarrow = Object.keys(query).length > 0
      const isMatch = sessionMatcher(query, upToDate)
      const settings = { ...options, ...(limit !== undefined && !isNarrow && { limit }) }
      let left = limit ?? Number.POSITIVE_INFINITY
      for await (const info of scope === undefined ? sessions.listAll(settings) : sessions.list(scope, settings)) {
        if (isNarrow && !(await isMatch(info))) continue
        yield { ...info, source, copies: [] }
        left -= 1
        if (left <= 0) return
      }
    },
    async search(query) {
      const { sessions: found, isMore } = await (await opened()).search(query)
      return { sessions: found.map((one) => ({ ...one, source })), isMore }
    },
    usage: async (query, kinds, options) =>
      sumUsage(await opened(), query, kinds, { ...options, sourceOf: () => source }),
    update: async (options) => (await opened()).update(options),
  }
  return served
}
