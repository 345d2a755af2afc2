import type { StoreSessions } from "../../sessions/every-store.js"

/** What it takes to continue a session. */
export interface StoredSession {
  readonly store: StoreSessions
  readonly path: string
  readonly id: string
  readonly cwd: string
  readonly name?: string | undefined
}
