/** Which sessions to list, and when to stop. */
export interface ListFilter {
  readonly cwd?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A session in a listing of a storage, which does not open it. */
export interface StoredName {
  readonly key: string
  /** The session id, if the key contains it, as keys from `keyFor` do. The header decides. */
  readonly id?: string | undefined
  /** Why this cannot be read. `key` is then the nearest known key, such as that of a folder. */
  readonly error?: Error
}
