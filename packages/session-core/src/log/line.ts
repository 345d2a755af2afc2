/** One line of a stored session, as bytes. Offsets are bytes from the start of what is stored. */
export interface Line {
  /** From 1. */
  readonly number: number
  /** Where the content begins: behind a BOM, if there is one. */
  readonly offset: number
  /** The content, without its line ending. */
  readonly bytes: Uint8Array
  /** Bytes of the content, where it is longer than a string can be: then it was not kept, and `bytes` is empty. */
  readonly tooLong?: number
  /** Where the next line begins. */
  readonly end: number
  /** False only for a last line that has no LF. */
  readonly terminated: boolean
}

/** No string holds more, so that it cannot be parsed: V8's end at about 2^29 units. Bytes. */
export const LONGEST_LINE = 0x1fffffe8

/** Where a record stands in what is stored. */
export interface Place {
  /** From 1. */
  readonly line: number
  readonly offset: number
  /** Bytes of the record, without the line ending. */
  readonly length: number
}
