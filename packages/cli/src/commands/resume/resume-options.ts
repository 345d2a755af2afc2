import type { FilterValues } from "@treelog/session-core/search"
import type { SessionSort } from "../find/session-rows.js"

export interface ResumeOptions extends FilterValues {
  /** The first of those that there are. */
  readonly last?: boolean
  /** The query; on a terminal, the one to start with. */
  readonly query?: string
  readonly sort: SessionSort
  /** Only those that have a name. */
  readonly named?: boolean
  /** What is printed of a session; without it, in a terminal, its agent is run. */
  readonly print?: "path" | "id"
  /** The agent to go on in. */
  readonly with?: string
  /** The entry to go on from, in a fork. */
  readonly leaf?: string
}
