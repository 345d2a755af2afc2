import type { Diagnostic } from "@treelog/session-core"
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
  /** Links that were repaired, copies that were dropped, lines that cannot be read. Line and offset are those of the source. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The lines of a converted session, from one of them on. */
export interface ConvertedLines {
  /** How many lines of the former result remain, the header included; 0 the first time. */
  readonly kept: number
  /** The lines that follow those, the header first if none remains. Each is an object of plain JSON. Can be iterated once. */
  readonly lines: Iterable<object>
}

/** The same as bytes. */
export interface ConvertedBytes {
  /** How many bytes of the former result remain. */
  readonly kept: number
  /** The bytes that follow those. Can be iterated once; a chunk is valid until the next is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The conversion of one session. It can go on when the source has grown. */
export interface SessionConversion {
  /**
   * Converts up to the present end of the source. The same source always gives the same bytes, however often it was updated on the way.
   * @throws InvalidSessionError when it is no session; SessionNotFoundError, StorageError
   */
  update(): Promise<ConvertedBytes>
  /** Complete once the bytes of the last update were iterated. */
  readonly report: ConversionReport
  /** Sub-agents' transcripts and files beside the source. Reads them only when it is iterated. */
  artifacts(): AsyncIterable<SessionArtifact>
  /** Closes files. */
  close(): Promise<void>
}
