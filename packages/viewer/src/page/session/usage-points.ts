import type { BranchPath } from "./branch-path.js"
import type { PageSession } from "./page-session.js"

/** One call to a model on a branch, or a compaction. */
export interface UsagePoint {
  readonly ordinal: number
  /** Milliseconds since 1970; never before the previous point. */
  readonly time: number
  /** Tokens of the context when the model answered; 0 at a compaction. */
  readonly context: number
  /** The cost of this call. */
  readonly cost: number
  /** The cost of the branch so far. */
  readonly spent: number
  readonly isCompaction: boolean
}

/** The tokens and cost over the time of a branch. */
export function usagePoints(session: PageSession, path: BranchPath): UsagePoint[] {
  const points: UsagePoint[] = []
  let spent = 0
  let time = 0
  for (const ordinal of path) {
    const summary = session.summary(ordinal)
    const isCompaction = summary.speaker === "compaction"
    if (!summary.spent && !isCompaction) continue
    const cost = summary.spent?.cost ?? 0
    spent += cost
    const at = Date.parse(summary.timestamp)
    if (at > time) time = at
    const context = summary.speaker === "assistant" ? (summary.spent?.total ?? 0) : 0
    if (context > 0 || cost > 0 || isCompaction) points.push({ ordinal, time, context, cost, spent, isCompaction })
  }
  return points
}
