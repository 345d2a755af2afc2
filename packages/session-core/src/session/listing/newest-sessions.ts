import type { ListFilter, SessionSource } from "../../ports/session-source.js"
import { type ScannedSession, scanFound } from "./scan-sessions.js"
import { compareRecency, type Recency, SUMMARY_VERSION } from "./session-info.js"

type CompareSessions = (a: Recency, b: Recency) => number

/**
 * The sessions that are wanted and come first, in order, by the index of the cache of summaries: the first `limit` of what a scan of all
 * would give in this order. Undefined where the cache has no index, or advises a scan, or `limit` is not a whole number from 1.
 * @param isWanted whether a session counts
 * @param compare the order, which is by time but for kinds that come last
 * @param onScanned called after each scanned session, with how many are still to be scanned
 */
export async function newestSessions(
  storage: SessionSource,
  filter: ListFilter,
  limit: number,
  isWanted: (session: ScannedSession) => boolean,
  compare: CompareSessions,
  onScanned: (session: ScannedSession, left: number) => void = () => {},
): Promise<readonly ScannedSession[] | undefined> {
  if (!(Number.isSafeInteger(limit) && limit > 0)) return undefined
  // If too few of them are wanted, twice as many are requested. Each answer is complete by itself, so that no session is lost that is
  // written, moved or listed by another process in between.
  for (let count = limit; ; count *= 2) {
    const found = await storage.summaries?.newest?.(filter, count, SUMMARY_VERSION)
    if (!found) return undefined
    const wanted: ScannedSession[] = []
    for await (const { sessions, pending } of scanFound(storage, [found.sessions])) {
      filter.signal?.throwIfAborted()
      let left = sessions.length + pending
      for (const session of sessions) {
        onScanned(session, --left)
        if (isWanted(session)) wanted.push(session)
      }
    }
    wanted.sort((a, b) => inOrder(compare, a, b))
    const last = wanted[limit - 1]
    if (found.leftOut === undefined || (last && comesBefore(compare, last, found.leftOut)))
      return wanted.slice(0, limit)
    // What was read now is found by its summary the next time.
    await storage.summaries?.flush()
  }
}

/** Whether a session comes before every one that was left out, which may be of the kind that comes first. */
function comesBefore(
  compare: CompareSessions,
  { summary, found }: ScannedSession,
  { modified, key }: { modified: number; key: string },
): boolean {
  const order = compare(summary, { modified, kind: undefined })
  return order < 0 || (order === 0 && found.key <= key)
}

/** Of the same time, by key. */
export function newestFirst(a: ScannedSession, b: ScannedSession): number {
  return inOrder(compareRecency, a, b)
}

function inOrder(compare: CompareSessions, a: ScannedSession, b: ScannedSession): number {
  return compare(a.summary, b.summary) || (a.found.key < b.found.key ? -1 : 1)
}
