import type { TreeFilter } from "@treelog-internal/text"

export interface TreeOptions {
  readonly filter: TreeFilter
  readonly interactive?: boolean
  /** Go to this entry. */
  readonly select?: string
  /** A command line that can summarize the branch that is left. */
  readonly summarizer?: string
  readonly instructions?: string
  /** Milliseconds. */
  readonly timeout: number
}
