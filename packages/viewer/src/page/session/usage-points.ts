import type { ModelUsage } from "@treelog/session-core/search"
import type { BranchPath } from "./branch-path.js"
import type { PageSession } from "./page-session.js"

/** One call to a model on a branch, or a compaction. */
export interface UsagePoint {
  readonly ordinal: number
  /** Milliseconds since 1970; never before the previous point. */
  readonly time: number
  /** Tokens of the context when the model answered; 0 at a compaction. */
  readonly context: number
  readonly usages: readonly ModelUsage[]
  readonly isCompaction: boolean
}

export function usagePoints(session: PageSession, path: BranchPath): UsagePoint[] {
  const points: UsagePoint[] = []
  let time = 0
  for (const ordinal of path) {
    const { speaker, spent, timestamp } = session.summary(ordinal)
    const isCompaction = speaker === "compaction"
    const usages = spent?.usages ?? []
    if (usages.length === 0 && !isCompaction) continue
    const at = Date.parse(timestamp)
    if (at > time) time = at
    points.push({ ordinal, time, context: speaker === "assistant" ? (spent?.total ?? 0) : 0, usages, isCompaction })
  }
  return points
}
