import type { SessionPieces } from "./session-pieces.js"
import type { Step } from "./session-steps.js"
import type { SubAgent } from "./sub-agents.js"

/** What a writer makes its lines of. */
export interface CopySource {
  /** Of the copy. */
  readonly id: string
  readonly from: string
  readonly name: string | undefined
  /** For lists: the name, or a line of the first prompt. */
  readonly title: string
  readonly cwd: string
  /** ISO 8601. */
  readonly started: string
  readonly version: string
  readonly steps: readonly Step[]
  /** By the calls that started them. A writer that has no place for them leaves them out. */
  readonly subAgents: ReadonlyMap<string, SubAgent>
  /** The calls among them that have no result in the session. */
  readonly unanswered: ReadonlySet<string>
  /** Counts what becomes of each piece. */
  readonly pieces: SessionPieces
}
