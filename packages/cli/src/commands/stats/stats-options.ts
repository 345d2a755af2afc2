import type { UsageQuery } from "@treelog/session-core/session-index"
import type { TimeOptions } from "../../sessions/time-options.js"

export interface StatsOptions extends TimeOptions {
  /** What sums of tokens and cost are made of. */
  readonly by?: Exclude<UsageQuery["by"], undefined>
  readonly allStores?: boolean
  /** Only disk space. */
  readonly disk?: boolean
  /** Name the files, too. */
  readonly files?: boolean
}
