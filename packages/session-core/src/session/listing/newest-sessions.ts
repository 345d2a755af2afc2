import type { ListFilter, SessionStorage } from "../../ports/session-storage.js"
import { type ScannedSession, scanFound } from "./scan-sessions.js"
import { compareRecency, SUMMARY_VERSION } from "./session-info.js"

/**
 * The newest sessions that are wanted, newest first, by the index of the cache of summaries: the first `limit` of what a scan of all
 * would give in this order. Undefined where the cache has no index, or advises a scan, or `limit` is not a whole number from 1.
 * @param isWanted whether a session counts
 * @param onScanned called after each scanned session, with how many are still to be scanned
 */
export async function newestSessions(
  storage: SessionStorage,
  filter: ListFilter,
  limit: number,
  isWanted: (session: ScannedSession) => boolean,
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
    wanted.sort(newestFirst)
    const last = wanted[limit - 1]
    if (found.leftOut === undefined || (last && comesBefore(last, found.leftOut))) return wanted.slice(0, limit)
    // What was read now is found by its summary the next time.
    await storage.summaries?.flush()
  }
}

function comesBefore(
  { summary, found }: ScannedSession,
  { modified, key }: { modified: number; key: string },
): boolean {
  return summary.modified > modified || (summary.modified === modified && found.key <= key)
}

/** Of the same time, by key. */
export function newestFirst(a: ScannedSession, b: ScannedSession): number {
  return compareRecency(a.summary, b.summary) || (a.found.key < b.found.key ? -1 : 1)
}
