import { isTreelogError } from "@treelog/session-core"
import type {
  IndexedSession,
  IndexProgress,
  IndexUpdateOptions,
  IndexUpdateReport,
  SearchHit,
  SearchQuery,
  SearchResult,
  SessionHits,
} from "@treelog/session-core/search"
import { agentOfId } from "./conversation.js"
import { eachOnce } from "./each-once.js"
import { indexFilter, type SessionFilter } from "./session-query.js"
import { type OnSourceError, ofEach, type Source } from "./source.js"

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

/** As an index has it. */
const HITS = 50

/** How hits are put together. */
type HitOrder = Required<Pick<SearchQuery, "sort" | "limit">>

interface SourceResult<From extends Source> {
  readonly source: From
  readonly result: SearchResult
}

/**
 * Searches one source after the other, and puts the hits together: the newest first, or by relevance those of each source in turn, since
 * ranks of two indexes cannot be compared. An entry that several copies of a conversation have is found once: in the one that is its face, of those
 * that have it. Once there are more hits than the limit, another source is asked only for those that would be among the first: it reads no
 * sessions for others.
 */
export async function searchSources<From extends Source>(
  sources: readonly From[],
  query: LibrarySearch,
  onError: OnSourceError<From>,
): Promise<FoundInSources<From>> {
  const { sort = "newest", limit = HITS } = query
  const order = { sort, limit }
  const results: SourceResult<From>[] = []
  let found: FoundInSources<From> = { sessions: [], isMore: false }
  await ofEach(sources, onError, async (source) => {
    const since = leastTime(found, order)
    const isLater = since !== undefined && since > (query.since ?? Number.NEGATIVE_INFINITY)
    const asked = { ...indexFilter(query, source), ...order, ...(isLater && { since }) }
    results.push({ source, result: await (await source.index()).search(asked) })
    found = await mergeHits(results, order)
  })
  return found
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

/** Brings the indexes of all sources up to date: at the same time, so that the newest sessions of each can be found first. */
export async function updateIndexes<From extends Source>(
  sources: readonly From[],
  { signal, onProgress = () => {} }: IndexUpdateOptions,
  onError: OnSourceError<From>,
): Promise<IndexUpdateReport> {
  const reached: IndexProgress[] = sources.map(() => NOTHING_YET)
  const updates = sources.map(async ({ index }, at) =>
    (await index()).update({
      signal,
      onProgress: (progress) => {
        reached[at] = progress
        onProgress(sumOf(reached))
      },
    }),
  )
  const reports: IndexUpdateReport[] = []
  for (const [at, outcome] of (await Promise.allSettled(updates)).entries()) {
    if (outcome.status === "fulfilled") reports.push(outcome.value)
    else if (sources.length > 1 && isTreelogError(outcome.reason, "StorageError"))
      onError(sources[at] as From, outcome.reason)
    else throw outcome.reason
  }
  return {
    ...sumOf(reports),
    read: total(reports, "read"),
    removed: total(reports, "removed"),
    failed: reports.flatMap(({ failed }) => failed),
    foreign: reports.flatMap(({ foreign }) => foreign),
  }
}

const NOTHING_YET: IndexProgress = { done: 0, total: 0, bytes: 0, upToDateAfter: Number.MAX_SAFE_INTEGER }

function sumOf(all: readonly IndexProgress[]): IndexProgress {
  return {
    done: total(all, "done"),
    total: total(all, "total"),
    bytes: total(all, "bytes"),
    upToDateAfter: Math.max(0, ...all.map(({ upToDateAfter }) => upToDateAfter)),
  }
}

function total<Name extends string>(all: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return all.reduce((sum, one) => sum + one[name], 0)
}
