/** Makes files of sessions for others, without their secrets. */
export interface SessionSharing {
  /** Finds what would be taken out. Never the secrets. */
  findSecrets(key: string): AsyncIterable<SharedSecret>
  /** The session as one HTML file without them. */
  page(key: string): AsyncIterable<string>
}

/** Where a secret is, and of what kind. */
export interface SharedSecret {
  readonly kind: string
  /** The entry; undefined in the header, and where a line cannot be read. */
  readonly entryId?: string | undefined
  /** The place in the entry. */
  readonly place?: string | undefined
  /** The id of the transcript of a sub-agent that it is in. */
  readonly agent?: string | undefined
}
