import type { SessionShape } from "@treelog-internal/test-kit/generator"

/** A session of which all lines are small messages, as a rule. */
export interface SmallSession {
  /**
   * `chain`: each the child of the one before. `siblings`: all children of the first. `labelled`: a chain of so many messages,
   * each followed by a label on it. `compacted`: a chain with a compaction after every 500.
   */
  readonly kind: "chain" | "siblings" | "labelled" | "compacted"
  readonly entries: number
  /** Whether compactions carry treelog's checkpoint. */
  readonly checkpoints?: boolean
}

/** A store whose sessions are all different: a folder, as the other recipes are files. */
export interface StoreRecipe {
  readonly kind: "store"
  readonly sessions: number
  /** Of a session on average. */
  readonly entries: number
  /** As of a `SessionShape`. */
  readonly toolOutput?: number
}

/** What a file holds. Equal recipes give equal bytes; it is plain data, so that it can name its file. */
export type Recipe =
  | ({ readonly kind: "session" } & SessionShape)
  | SmallSession
  /** A short session with one message of so many bytes. */
  | { readonly kind: "long line"; readonly bytes: number }
  | StoreRecipe
