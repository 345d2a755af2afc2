import type {
  IndexUpdateReport,
  SearchHit,
  SearchQuery,
  SessionHits,
  SessionIndex,
} from "@treelog/session-core/session-index"
import type { CommandContext } from "../io/command-context.js"
import { Progress, settledWithin } from "../io/progress.js"
import { startUpdate } from "./refresh-index.js"

// The newest sessions are indexed first. So while the index is brought up to date, hits that are newer than every session that is
// still to be read are those that the complete index would have first, and can be shown. Only a text that a fork copied may be shown
// in the fork, where its older session is still to be read.

/** Milliseconds between two searches while the index is brought up to date. */
const SEARCH_EVERY = 500

export interface UpdatingSearchResult {
  /** Hits that were shown. */
  readonly count: number
  /** Whether there are more than the limit. */
  readonly isMore: boolean
  /** Undefined where the update was stopped, since enough was found. */
  readonly report: IndexUpdateReport | undefined
}

/**
 * Searches while the index is brought up to date, and shows hits as soon as their order is certain.
 * @param show gets each hit once, the newest first; by relevance all at the end
 */
export async function searchWhileUpdating(
  context: CommandContext,
  index: SessionIndex,
  query: SearchQuery & { readonly limit: number },
  show: (found: readonly SessionHits[]) => Promise<void>,
): Promise<UpdatingSearchResult> {
  const stop = new AbortController()
  const { update, progress, text } = startUpdate(context, index, AbortSignal.any([context.io.interrupted, stop.signal]))
  const line = new Progress(context)
  const shown = new Set<string>()
  const showNew = async (found: readonly SessionHits[], isCertain: (hit: SearchHit) => boolean): Promise<void> => {
    const fresh = unseen(found, shown, query.limit, isCertain)
    if (fresh.length === 0) return
    await line.clear()
    await show(fresh)
  }
  try {
    while (query.sort !== "relevance" && !(await settledWithin(update, SEARCH_EVERY))) {
      await line.show(text())
      const { upToDateAfter = Number.MAX_SAFE_INTEGER } = progress() ?? {}
      const { sessions, isMore } = await index.search(query)
      await showNew(sessions, ({ time }) => time > upToDateAfter)
      if (shown.size === query.limit) return { count: shown.size, isMore, report: undefined }
    }
    const report = await line.during(update, text)
    await line.clear()
    const { sessions, isMore } = await index.search(query)
    await showNew(sessions, () => true)
    return { count: shown.size, isMore, report }
  } finally {
    stop.abort()
    await Promise.allSettled([update])
  }
}

/** The hits that were not shown yet, up to the limit, which are noted as shown. */
function unseen(
  found: readonly SessionHits[],
  shown: Set<string>,
  limit: number,
  isCertain: (hit: SearchHit) => boolean,
): SessionHits[] {
  return found.flatMap(({ session, hits }) => {
    const fresh = hits.filter((hit) => {
      const name = JSON.stringify([hit.entryId, hit.time, hit.role, hit.tool, hit.snippet.text])
      if (shown.has(name) || shown.size === limit || !isCertain(hit)) return false
      shown.add(name)
      return true
    })
    return fresh.length === 0 ? [] : [{ session, hits: fresh }]
  })
}
