import type { FilterValues, UsageQuery } from "@treelog/session-core/search"
import type { TimeOptions } from "../../sessions/time-options.js"

/** What sums of tokens and cost are made of. */
export type UsageBy = NonNullable<UsageQuery["by"]>

export interface StatsOptions extends TimeOptions, FilterValues {
  /** `tool`: what fills the context of one session. */
  readonly by?: UsageBy | "tool"
  readonly csv?: boolean
  /** Only disk space. */
  readonly disk?: boolean
  /** Name the files, too. */
  readonly files?: boolean
}
