import type { SessionEntry } from "../../entry/entry.js"
import { type SessionStats, StatsTally } from "./stats-tally.js"

/**
 * What a session amounts to, all branches: messages by role, tokens and cost by model (of answers, compactions, branch
 * summaries, tool results and usage entries), files, and the time that it spans.
 */
export function sessionStats(entries: Iterable<SessionEntry>): SessionStats {
  const tally = new StatsTally()
  for (const entry of entries) tally.add(entry)
  return tally.stats()
}

/** The sum over a store. */
export interface StoreStats extends SessionStats {
  sessions: number
}

/**
 * The same for many sessions together. What a fork copied from its source counts once, whichever of the two comes first.
 * No session is held on to once it was counted; an id and a time of each entry are.
 * @param onFailure gets the error where the entries of the session that came last cannot be counted: of it, only what precedes is.
 * Without it, the first such error is thrown.
 */
export async function storeStats(
  sessions: AsyncIterable<{ getEntries(): readonly SessionEntry[] }>,
  onFailure?: (error: unknown) => void,
): Promise<StoreStats> {
  const tally = new StatsTally()
  let count = 0
  for await (const session of sessions) {
    try {
      for (const entry of session.getEntries()) tally.add(entry)
      count += 1
    } catch (error) {
      if (!onFailure) throw error
      onFailure(error)
    }
  }
  return { sessions: count, ...tally.stats() }
}
