/** What is stored under a key at one moment. */
export interface StorageStat {
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /**
   * Stays when the object is appended to, and is another one when it is replaced. It never comes back for the same key, also not
   * over several replacements or after a removal: a writer with an old one must never take a new object for its own.
   */
  readonly identity: string
}
