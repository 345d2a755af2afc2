/** The state of a stored object. */
export interface StorageStat {
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /**
   * Stays the same when the object is appended to, and changes when it is replaced. Never reused for the same key, not even
   * after several replacements or a removal, so that a writer never mistakes a new object for the one it read.
   */
  readonly identity: string
}
