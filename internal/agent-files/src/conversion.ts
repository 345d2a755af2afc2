import type { Diagnostic, SessionHeader } from "@treelog/session-core"
import type { SessionArtifact } from "@treelog/session-core/adapter"

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

/** A session that was converted. */
export interface Conversion {
  readonly header: SessionHeader
  /** Can be iterated once. Each is made when it is asked for. */
  readonly entries: Iterable<object>
  /** Complete once the entries were iterated. */
  readonly report: ConversionReport
  /** Sub-agents' transcripts and files beside the source. Reads them only when it is iterated. */
  artifacts(): AsyncIterable<SessionArtifact>
}
