import type { Diagnostic, SessionHeader } from "@treelog/session-core"
import type { Json } from "./json.js"

/** What became of the lines of one kind, such as `user` or `progress:hook_progress`. Their sum is the number of lines of that kind. */
export interface KindCount {
  /** Lines that are in an entry of the conversation, or in its metadata. */
  readonly converted: number
  /** Lines that are kept as they are, in a `custom` entry. */
  readonly kept: number
  /** Lines that are in no entry. */
  readonly skipped: number
  /** Why lines of this kind are skipped. */
  readonly reason?: string
}

/** What became of every line of a source, so that nothing is dropped without a word. */
export interface ConversionReport {
  readonly lines: number
  readonly kinds: Readonly<Record<string, KindCount>>
  /** Kinds that this release does not know; their lines are kept. */
  readonly unknownKinds: readonly string[]
  /** Kinds of records that have tokens, of a session in which none count: kept or skipped. */
  readonly uncountedKinds?: readonly string[]
  /** Links that were repaired, copies that were dropped, lines that cannot be read. Line and offset are those of the source. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Where the conversion of a session can go on once its source has grown. */
export interface Checkpoint {
  /** How many entries stand before it, from the start of the session. They stay what they are, whatever follows. */
  readonly entries: number
  /** What the conversion has to know of what stands before, as plain JSON. */
  readonly state: Json
}

/** A session that was converted. */
export interface Conversion {
  /** Of one that went on, the same as before. */
  readonly header: SessionHeader
  /** Can be iterated once. Each is made when it is asked for. */
  readonly entries: Iterable<object>
  /** Whether it went on: its entries are those behind the checkpoint that it was given. */
  readonly goesOn?: boolean
  /**
   * The newest place so far where a later conversion can go on; undefined where there is none. Nothing that already stands behind it may have changed an
   * entry before it, since that can be cut off. It is asked for whenever an entry was made, and stands
   * behind that entry or right before it; `state` is called once, behind the last entry.
   */
  readonly checkpoint?: { readonly entries: number; state(): Json } | undefined
  /** Complete once the entries were iterated. */
  readonly report: ConversionReport
}
