import type { Session } from "@treelog/session-core"
import { isWritable, listSessions } from "@treelog/session-core/adapter"
import {
  type FileQuery,
  type FileUse,
  type IndexedSession,
  type IndexUpdateOptions,
  type IndexUpdateReport,
  type SearchHit,
  type SearchQuery,
  type SearchResult,
  type SessionHits,
  type SumKind,
  type SumOptions,
  sessionTitle,
  sumUsage,
  type UsageQuery,
  type UsageSums,
} from "@treelog/session-core/search"
import { agentOfId, type ListedSession } from "./conversation.js"
import { CountedEntries } from "./counted-entries.js"
import { eachOnce } from "./each-once.js"
import { type ConversationListOptions, listConversations } from "./list-conversations.js"
import { type EntryPlace, openEntry } from "./open-entry.js"
import { type ResolvedSession, resolveSession } from "./resolve.js"
import { indexFilter, type SessionFilter, type SessionQuery } from "./session-query.js"
import { type OnSourceError, ofEach, type Source } from "./source.js"
import { updateIndexes } from "./update-indexes.js"
import { type SessionChange, type WatchOptions, watchConversations } from "./watch.js"

/** Hits of one session, and the source that it is in. */
export interface FoundHits<From extends Source = Source> extends SessionHits {
  readonly source: From
}

/** Hits of several sources, grouped by session in the order of the first hit of each. */
export interface FoundInSources<From extends Source = Source> {
  readonly sessions: readonly FoundHits<From>[]
  /** Whether there are more than the limit. */
  readonly isMore: boolean
}

/** What is searched for, in which sessions. */
export type LibrarySearch = SearchQuery & SessionFilter

/** A use of a file, and the source of its session. */
export interface FoundUse<From extends Source = Source> extends FileUse {
  readonly source: From
}

/** Whose usage is summed. */
export type LibraryUsage = Omit<UsageQuery, "by" | "per" | "except"> & SessionFilter

/**
 * The sessions of a machine: those of several sources as one. A source that cannot be read is reported, and ends no answer over all; the only one
 * fails with its error.
 */
export class Library<From extends Source = Source> {
  readonly sources: readonly From[]
  readonly #onError: OnSourceError<From>

  /** @param onError called with a source that cannot be read, where there are others */
  constructor(sources: readonly From[], onError: OnSourceError<From> = () => {}) {
    this.sources = sources
    this.#onError = onError
  }

  /** The sessions of some of the sources alone. @param onError called with one that cannot be read, where there are others */
  only(sources: readonly From[], onError: OnSourceError<From> = this.#onError): Library<From> {
    return new Library(sources, onError)
  }

  /** Lists conversations, the newest first: each once, at the copy with the newest message. @throws StorageError */
  list(query: SessionQuery = {}, options: ConversationListOptions = {}): AsyncGenerator<ListedSession<From>> {
    return listConversations(this.sources, query, options, this.#onError)
  }

  /** Yields what `list` has, and then each conversation that is new, was changed or is gone, when it is noticed. @throws StorageError */
  watch(query: SessionQuery, options: WatchOptions): AsyncGenerator<SessionChange<From>> {
    const settings = { order: "streamed", signal: options.signal } as const
    return watchConversations((asked) => this.list(asked, settings), query, options)
  }

  /** Whether there is any session: of a folder or its project, or anywhere. */
  async isAny({ scope }: Pick<SessionFilter, "scope"> = {}): Promise<boolean> {
    for (const { storage, projectOf } of this.sources)
      for await (const _ of listSessions(storage, scope, { projectOf, limit: 1 })) return true
    return false
  }

  /**
   * Finds the session that a reference means: by its id, the start or the end of it, its name, or the id in the name of its file; `@last` and `@-2`.
   * @param scope the folder in which `@last` looks, and whose session a name means first; undefined for everywhere
   * @throws SessionNotFoundError, AmbiguousSessionError
   */
  resolve(ref: string, scope?: string): Promise<ResolvedSession<From>> {
    return resolveSession(this.sources, ref, scope, this.#onError)
  }

  /** Opens the copy of a conversation that has an entry, or the part that has it, to read. @throws SessionNotFoundError */
  openEntry(place: EntryPlace): Promise<Session> {
    return openEntry(this.sources, place)
  }

  /** The title of a session that was found: its name, or else the first that its user said; empty where it has neither. */
  titleOf({ source, session }: Pick<FoundHits<From>, "source" | "session">, signal: AbortSignal): Promise<string> {
    return sessionTitle(source.storage, session, signal)
  }

  /** Brings the indexes up to date. @throws IndexUnavailableError without SQLite; StorageError of the only source */
  update(options: IndexUpdateOptions = {}): Promise<IndexUpdateReport> {
    return updateIndexes(this.sources, options, this.#onError)
  }

  /**
   * Finds what was said, by what the indexes have (see `update`): the newest first, or by relevance those of each source in turn, since ranks of two
   * indexes cannot be compared. An entry that several copies of a conversation have is found once: in the one that is its face, of those that have it.
   * Once there are more hits than the limit, another source is asked only for those that would be among the first: it reads no sessions for others.
   */
  async search(query: LibrarySearch): Promise<FoundInSources<From>> {
    const { sort = "newest", limit = HITS } = query
    const order = { sort, limit }
    const results: SourceResult<From>[] = []
    let found: FoundInSources<From> = { sessions: [], isMore: false }
    await ofEach(this.sources, this.#onError, async (source) => {
      const since = leastTime(found, order)
      const isLater = since !== undefined && since > (query.since ?? Number.NEGATIVE_INFINITY)
      const asked = { ...indexFilter(query, source), ...order, ...(isLater && { since }) }
      results.push({ source, result: await (await source.index()).search(asked) })
      found = await mergeHits(results, order)
    })
    return found
  }

  /**
   * Sums what was used, by each of the kinds. A response that several sources have counts once: in the source of the agent that made it, and then in
   * the first.
   */
  usage(query: LibraryUsage, kinds: readonly SumKind[], options: SumOptions = {}): Promise<UsageSums<From>> {
    return sumUsage(
      async ({ except: _, ...asked }, questions) => {
        const counted = new CountedEntries()
        return ofEach(copiesLast(this.sources), this.#onError, async (source) => {
          const index = await source.index()
          const filter = indexFilter({ ...query, ...asked }, source)
          const except = await counted.copiesIn(index, filter, source)
          const rows = []
          for (const by of questions) rows.push(await index.usage({ ...filter, except, by }))
          return { source, rows }
        })
      },
      query,
      kinds,
      options,
    )
  }

  /**
   * Finds the entries that read or changed a file, the newest first. Of an entry that several copies of a conversation have, those of one copy.
   * @throws InvalidArgumentError for an empty path
   */
  async files(query: FileQuery & SessionFilter): Promise<FoundUse<From>[]> {
    const uses = await ofEach(this.sources, this.#onError, async (source) => {
      const found = await (await source.index()).files(indexFilter(query, source))
      return found.map((use): FoundUse<From> => ({ ...use, source }))
    })
    const once = await eachOnce(uses.flat(), this.sources, ({ source, session, entryId }) =>
      JSON.stringify([agentOfId(session, source), session.id, entryId]),
    )
    return once.sort((a, b) => b.time - a.time)
  }
}

/** As an index has it. */
const HITS = 50

/** How hits are put together. */
type HitOrder = Required<Pick<SearchQuery, "sort" | "limit">>

interface SourceResult<From extends Source> {
  readonly source: From
  readonly result: SearchResult
}

/** The least time of another hit that would be among the first; undefined where it is not known that there are more. */
function leastTime({ sessions, isMore }: FoundInSources, { sort, limit }: HitOrder): number | undefined {
  const times = sessions.flatMap(({ hits }) => hits.map(({ time }) => time))
  return sort === "newest" && isMore && times.length === limit ? Math.min(...times) + 1 : undefined
}

async function mergeHits<From extends Source>(
  results: readonly SourceResult<From>[],
  { sort, limit }: HitOrder,
): Promise<FoundInSources<From>> {
  const isMore = results.some(({ result }) => result.isMore)
  const [only] = results
  if (only && results.length === 1)
    return { sessions: only.result.sessions.map((found) => ({ ...found, source: only.source })), isMore }
  const ranked = results.flatMap(({ source, result }) =>
    result.sessions
      .flatMap(({ session, hits }) => hits.map((hit) => ({ source, session, hit })))
      .map((one, rank) => ({ ...one, rank })),
  )
  ranked.sort(sort === "newest" ? (a, b) => b.hit.time - a.hit.time : (a, b) => a.rank - b.rank)
  const unique = await eachOnce(
    ranked,
    results.map(({ source }) => source),
    ({ source, session, hit: { entryId, time, role, content } }) =>
      JSON.stringify([agentOfId(session, source), entryId, time, role, content]),
  )
  const groups = new Map<IndexedSession, { source: From; session: IndexedSession; hits: SearchHit[] }>()
  for (const { source, session, hit } of unique.slice(0, limit)) {
    const group = groups.get(session) ?? { source, session, hits: [] }
    groups.set(session, group)
    group.hits.push(hit)
  }
  return { sessions: [...groups.values()], isMore: isMore || unique.length > limit }
}

/** In the order in which they count what several have: what an agent made itself before copies in treelog's own store. */
function copiesLast<From extends Source>(sources: readonly From[]): From[] {
  const rank = ({ storage, madeBy }: Source): number => (!isWritable(storage) ? 0 : madeBy === "treelog" ? 2 : 1)
  return [...sources].sort((a, b) => rank(a) - rank(b))
}
