import type { IndexUpdateReport, SearchHit } from "@treelog/session-core/search"
import type { FoundHits, LibrarySearch } from "@treelog/stores"
import type { CommandContext } from "../../io/command-context.js"
import { Progress, settledWithin } from "../../io/progress.js"
import { startUpdate } from "../../search/refresh-index.js"
import type { CommandLibrary, CommandSource } from "../../sessions/open-library.js"

// The newest sessions are indexed first. So while the index is brought up to date, hits that are newer than every session that is
// still to be read are those that the complete index would have first: once there are enough of them, reading stops. A person sees
// other hits, too, as soon as they are found: newer ones may follow, as where the times of files are not those of their messages. A
// program gets only hits that the times of files put in order, with a note where these could be wrong. A text that a fork copied may be shown in the fork, where its older session is still
// to be read.

/** Milliseconds between two searches while the index is brought up to date. */
const SEARCH_EVERY = 500

type Found = FoundHits<CommandSource>

interface UpdatingSearchResult {
  /** Hits that were shown. */
  readonly count: number
  /** Whether there are more than the limit. */
  readonly isMore: boolean
  /** Undefined where the update was stopped, since enough was found. */
  readonly report: IndexUpdateReport | undefined
  /** Whether the hits that were shown are the first ones, in their order: unknown where the update was stopped. */
  readonly isInOrder: boolean
}

/**
 * Searches while the indexes are brought up to date, and shows hits as soon as their order is certain; to a person, at once.
 * @param show gets each hit once, the newest first; by relevance all at the end; and whether the index has all sessions then
 */
export async function searchWhileUpdating(
  context: CommandContext,
  library: CommandLibrary,
  query: LibrarySearch & Required<Pick<LibrarySearch, "sort" | "limit">>,
  show: (found: readonly Found[], isUpToDate: boolean) => Promise<void>,
): Promise<UpdatingSearchResult> {
  const { sort, limit } = query
  const stop = new AbortController()
  const { update, progress, text } = startUpdate(
    context,
    library,
    AbortSignal.any([context.io.interrupted, stop.signal]),
  )
  const line = new Progress(context)
  const shown = new Set<string>()
  const isForPerson = context.style.width !== undefined
  let isUpToDate = false
  const showNew = async (found: readonly Found[], fits: (hit: SearchHit) => boolean, most: number) => {
    const fresh = unseen(found, shown, most, fits)
    if (fresh.length === 0) return
    await line.clear()
    await show(fresh, isUpToDate)
  }
  try {
    while (sort !== "relevance" && !(await settledWithin(update, SEARCH_EVERY))) {
      await line.show(text())
      const { upToDateAfter = Number.MAX_SAFE_INTEGER } = progress() ?? {}
      // Nothing is certain yet.
      if (!isForPerson && upToDateAfter === Number.MAX_SAFE_INTEGER) continue
      const { sessions, isMore } = await line.during(library.search(query), text)
      const isCertain = ({ time }: SearchHit): boolean => time > upToDateAfter
      await showNew(sessions, (hit) => isForPerson || isCertain(hit), limit)
      const certain = sessions.flatMap(({ hits }) => hits.filter(isCertain)).length
      if (certain === limit) return { count: shown.size, isMore, report: undefined, isInOrder: false }
    }
    const report = await line.during(update, text)
    isUpToDate = true
    await line.clear()
    const { sessions, isMore } = await library.search(query)
    await showNew(sessions, () => true, isForPerson ? Number.POSITIVE_INFINITY : limit)
    const first = sessions.flatMap(({ hits }) => hits).map(nameOf)
    return { count: shown.size, isMore, report, isInOrder: [...shown].every((name, at) => name === first[at]) }
  } finally {
    stop.abort()
    await Promise.allSettled([update])
  }
}

/** The hits that fit and were not shown yet, until so many are shown, which are noted as shown. */
function unseen(found: readonly Found[], shown: Set<string>, most: number, fits: (hit: SearchHit) => boolean): Found[] {
  return found.flatMap((one) => {
    const fresh = one.hits.filter((hit) => {
      const name = nameOf(hit)
      if (shown.has(name) || shown.size >= most || !fits(hit)) return false
      shown.add(name)
      return true
    })
    return fresh.length === 0 ? [] : [{ ...one, hits: fresh }]
  })
}

function nameOf({ entryId, time, role, tool, snippet }: SearchHit): string {
  return JSON.stringify([entryId, time, role, tool, snippet.text])
}
