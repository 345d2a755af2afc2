import type { CommandSource } from "../../sessions/open-library.js"

/** What it takes to continue a session. */
export interface StoredSession {
  readonly store: CommandSource
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string | undefined
}
