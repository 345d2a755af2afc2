import { type FilterValues, QUERY_VALUES, type UsageQuery } from "@treelog/session-core/search"
import type { TimeOptions } from "../../sessions/time-options.js"

/** What sums of tokens and cost are made of. */
export type UsageBy = NonNullable<UsageQuery["by"]>

/** What `--by` takes: what fills the context of one session is by `tool`, and what the parts of sessions used is always printed. */
export const STATS_BY = [...QUERY_VALUES.by.filter((by) => by !== "total" && by !== "role"), "tool"] as const

export interface StatsOptions extends TimeOptions, FilterValues {
  readonly by?: (typeof STATS_BY)[number]
  readonly csv?: boolean
  readonly disk?: boolean
  readonly files?: boolean
}
