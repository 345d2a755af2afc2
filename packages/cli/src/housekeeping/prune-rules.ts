import type { SessionInfo } from "@treelog/session-core"

/** Which sessions may be deleted. A session has to match every rule. */
export interface PruneRules {
  /** Without a message of anyone for so long. Milliseconds. */
  readonly olderThan: number
  /** But so many of each project, the newest ones. */
  readonly keepLast?: number
  /** Only those in which nothing was said. */
  readonly empty?: boolean
}

/** The sessions that may go by their age, their place among the others and what is in them, oldest first. */
export function pruneCandidates(
  sessions: readonly SessionInfo[],
  { olderThan, keepLast = 0, empty = false }: PruneRules,
  now: number,
): SessionInfo[] {
  // The age of a session that cannot be read is unknown.
  const newestFirst = sessions.filter(({ error }) => !error).sort((a, b) => b.modified - a.modified || byPath(a, b))
  const seen = new Map<string, number>()
  const candidates = newestFirst.filter(({ cwd, modified, messageCount }) => {
    const place = (seen.get(cwd) ?? 0) + 1
    seen.set(cwd, place)
    return place > keepLast && now - modified >= olderThan && (!empty || messageCount === 0)
  })
  return candidates.reverse()
}

function byPath(a: SessionInfo, b: SessionInfo): number {
  return a.path < b.path ? -1 : 1
}
