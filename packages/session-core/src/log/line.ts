/** One line of a stored session, as bytes. Offsets are bytes from the start of what is stored. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Where the content begins: behind a BOM, if there is one. */
  readonly offset: number
  /** The content, without its line ending. */
  readonly bytes: Uint8Array
  /** Where the next line begins. */
  readonly end: number
  /** False only for a last line that has no LF. */
  readonly terminated: boolean
}

/** Where a record stands in what is stored. */
export interface Place {
  /** From 1. */
  readonly line: number
  readonly offset: number
  /** Bytes of the record, without the line ending. */
  readonly length: number
}
