import type { Clock } from "@treelog/session-core"
import type { FsPort } from "@treelog-internal/fs"
import type { UnparsableFile } from "./marks.js"
import type { Tally } from "./tally.js"

/** What is swept, and how carefully. */
export interface SweepOptions {
  /** The folder of the blobs. */
  readonly blobs: string
  /**
   * The folders of the sessions: every file in them and below protects the blobs that it names. All that use the store,
   * or their blobs go.
   */
  readonly roots: readonly string[]
  /** Session files outside of the roots. Their artifacts and the backups beside them protect too. */
  readonly files?: readonly string[]
  /**
   * Blobs put within this time stay. Milliseconds, a day by default: far more than any writer takes from a blob to the
   * line that names it, and enough to notice that a session was deleted by mistake. Use less than a minute only where
   * no program writes.
   */
  readonly graceMs?: number
  /** Without it, the report says what would be done, and nothing is done. */
  readonly apply?: boolean
  /**
   * Goes on where a session file cannot be parsed, and reports it. The references that can be made out in it protect
   * anyway. A line that was only cut off stops no sweep.
   */
  readonly allowUnparsable?: boolean
  readonly fs?: FsPort
  readonly clock?: Clock
  /** Stops the sweep between two batches: what was taken away by then is in the trash. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: SweepProgress) => void) | undefined
}

/** How far a sweep is. */
export interface SweepProgress {
  readonly phase: "mark" | "sweep"
  /** The files read for references so far, or the blobs dealt with. */
  readonly done: Tally
}

/** What a sweep did, or would do. */
export interface SweepReport {
  /** False for a dry run: then `swept` and `temporary` are what would be taken away. */
  readonly applied: boolean
  /** The files that were read for references. */
  readonly scanned: Tally
  /** The blobs that some file names. */
  readonly kept: Tally
  /** Those that no file names, but that are too young. */
  readonly withinGrace: Tally
  /** Those taken away; the bytes are with their sidecars. */
  readonly swept: Tally & { readonly hashes: readonly string[] }
  /** Unfinished files of writers that died, taken away too. */
  readonly temporary: Tally
  /** Blobs of earlier sweeps that are gone for good now. */
  readonly emptied: Tally
  /** Blobs of earlier sweeps that were given back, because they are named again. */
  readonly restored: Tally
  /** Where the swept files are until the next sweep; undefined when there are none. */
  readonly trash: string | undefined
  /** Session files with a line that was cut off, or, with `allowUnparsable`, that cannot be parsed; each with its first. */
  readonly unparsable: readonly UnparsableFile[]
}
