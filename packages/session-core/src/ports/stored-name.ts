/** Which sessions are named, and when to stop. */
export interface ListFilter {
  readonly cwd?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A session as a storage names it, without having opened it. */
export interface StoredName {
  readonly key: string
  /** The session id, where the key tells it: keys from `keyFor` do. The header decides. */
  readonly id?: string | undefined
  /** Why this cannot be looked at. The key is then the nearest thing that can be named, such as a folder. */
  readonly error?: Error
}
