import type { Held } from "./held.js"
import type { Tried } from "./try-copies.js"

/** What was found with the copies of one agent's sessions for another. */
export interface Field extends Tried {
  /** Of the agent that they are for. */
  readonly version: string
  /** When it was tried: `2026-11-29`. */
  readonly date: string
}

/** What `npm run check-copies` found, by the agent of the sources, and the one that the copies are for. */
export interface Results {
  readonly sources: Record<string, { readonly version: string; readonly date: string; readonly held: Held }>
  readonly copies: Record<string, Record<string, Field>>
}
