import type { SessionEntry, SessionHeader } from "../entry/entry.js"

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

/** Which sessions to list, and when to stop. */
export interface ListFilter {
  readonly cwd?: string | undefined
  /** The project of `cwd`. A storage that groups sessions by project lists those of the project, another one those of all folders. */
  readonly project?: string | undefined
  /**
   * Whether sessions of another folder are listed with those of `cwd`, by their folders alone: those of its project, and those that spell it in
   * another way. A storage that looks for folders by their names asks it of each that it has.
   */
  readonly isOfFolder?: ((cwd: string) => boolean) | undefined
  readonly signal?: AbortSignal | undefined
  /** Also the parts of sessions, such as the transcripts of sub-agents. Only sessions that are listed have theirs listed. */
  readonly parts?: boolean | undefined
  /** Whether summaries are wanted: those that a cache has not got it makes, where it can without reading sessions. Default: they are. */
  readonly makesSummaries?: boolean | undefined
}

/** What a transcript is in the session that it belongs to. */
export interface PartOfSession {
  /** The key of the session. */
  readonly of: string
  /** The name of the artifact that it is, such as `Scan.jsonl`. */
  readonly name: string
  /** Such as `subagent`, `advisor` or `review`. */
  readonly role: string
}

/** A session in a listing of a storage, which does not open it. */
export interface StoredName {
  readonly key: string
  /** The session id, if the key contains it, as keys from `keyFor` do. The header decides. */
  readonly id?: string | undefined
  /** The project of the session, if the storage groups it by its project. */
  readonly project?: string | undefined
  /** Present if it is a part of another session. */
  readonly part?: PartOfSession | undefined
  /** Why this cannot be read. `key` is then the nearest known key, such as that of a folder. */
  readonly error?: Error
}

/**
 * Caches the summaries of listed sessions, so that the next listing reads only what was appended (FORMAT.md, section 8). Missing,
 * outdated or damaged parts cost time, but never change a result, and no method may fail because of them; an implementation has its
 * own way to report a cache that it cannot use.
 */
export interface SummaryCache {
  /**
   * Lists the same sessions as `list` of the storage, with their states and cached summaries, in batches as they are found. Sessions
   * that were removed in the meantime are left out.
   */
  scan(filter?: ListFilter): AsyncIterable<readonly FoundSession[]>

  /**
   * Finds the newest of the sessions that `scan` lists, without going through all of them: by an index, for lists with a limit.
   * Optional: without it, or if it returns undefined, lists scan.
   * @param limit how many that have a current summary are wanted
   * @param version summaries of other versions count as missing
   * @returns undefined where so many sessions have no current summary that a scan is better
   */
  newest?(filter: ListFilter, limit: number, version: number): Promise<NewestSessions | undefined>

  /** What `scan` has of one key; undefined when nothing is stored under it. */
  find(key: string): Promise<FoundSession | undefined>

  /** @param stat the same object that `scan` or `find` returned before the session was read */
  put(key: string, stat: StorageStat, state: SummaryState): void

  /** Saves what was put, at the end of a listing. */
  flush(): Promise<void>
}

/** A session that a scan of the cache found. */
export interface FoundSession extends StoredName {
  /** The state of the bytes that are read, as `statContent` has it; absent if `error` is set, or where they would have to be made. */
  readonly stat?: StorageStat | undefined
  /** The cached summary of this object, if the object has not changed since then, or has only grown. */
  readonly cached?: CachedSummary | undefined
  /** When it was written last, where only that is known. Milliseconds since 1970. */
  readonly modified?: number
  /** The state of what is stored, as `stat` of the storage has it, where that is another than `stat`, or is known without it. */
  readonly source?: StorageStat
}

/**
 * The sessions of one moment that may be among the newest, in no particular order: all that have no current summary, since their times
 * are unknown, and of the others those with the latest `modified`.
 */
export interface NewestSessions {
  readonly sessions: readonly FoundSession[]
  /**
   * No session that was left out comes before this place: none is newer, by its summary, and none of the same time has a lower key. Milliseconds
   * since 1970; undefined if none was left out.
   */
  readonly leftOut: { readonly modified: number; readonly key: string } | undefined
}

/** The cached summary of a session. */
export interface CachedSummary {
  readonly state: SummaryState
  /** Whether the object is unchanged since it was read. If it has grown, reading can resume from the state. */
  readonly isCurrent: boolean
}

/** The summary of a session in a form for caches. Only the core interprets it; `summaryState` makes one of what a storage knows. */
export interface SummaryState {
  /** The version of this form, which the core checks. */
  readonly version: number
  /** The working directory of the session; undefined if it cannot be read. */
  readonly cwd: string | undefined
  /** The time by which lists are sorted. Milliseconds since 1970. */
  readonly modified: number
  /** The `kind` of the session, for the order of lists. */
  readonly kind?: "sdk" | "subtask" | "empty" | "archived" | undefined
  /** The `SessionInfo` for lists, as plain JSON: read only when the session is listed. */
  readonly info: object
  /** The state to resume reading from, as plain JSON: read only when the session has grown. */
  readonly resume: object
}

/** A file that is kept with a session. */
export interface SessionArtifact {
  /** A relative path with `/`, which does not leave the folder of the artifacts. */
  readonly name: string
  /** Undefined for what is not a file, such as a link. */
  readonly chunks: AsyncIterable<Uint8Array> | undefined
}

/** What a session used, and what it is called. */
export interface SessionUsage {
  /** Of what was read: as `source` of `FoundSession`. */
  readonly source: StorageStat
  readonly header: SessionHeader
  /** The entries that report usage or name the session: as the whole session has them, but for their parents. */
  readonly entries: readonly SessionEntry[]
}

/** Synchronous reads of one stored object. */
export interface StoredRanges {
  /**
   * Reads `length` bytes from `offset`; fewer only if the object ends before. The caller must not change them.
   * @param into a buffer for that many bytes, as for `readRange`
   * @throws StorageError
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array
  /** Resolves after other work of the process had a chance to run. Call it between many reads. */
  pause?(): Promise<void>
  /** Releases resources such as an open file. A later read takes them again, and may fail if the object was removed. */
  close(): void
}

/**
 * Sessions that can be read, such as those of another agent, where it keeps them. A key need not be a path, and a session need not be a file:
 * a table row or an object of a bucket will do. Whoever writes sessions needs a `SessionStorage`.
 *
 * Each source answers each question: one without artifacts says so by none, and `watch` is undefined where changes cannot be noticed. Members
 * that are optional only make answers faster.
 *
 * Methods fail with `TreelogError`s: adapters translate the errors of their platform (to `StorageError` if no other code fits).
 * `@treelog/session-core/testing` exports the contract suite for implementations.
 */
export interface SessionSource {
  /** The key that a user's reference names directly (a path, for example); undefined if it can only be an id or a name. */
  keyFromRef(ref: string): string | undefined

  /** Whether the key is where the source has its sessions, by the key alone: nothing is read. Without it, `list` is asked. */
  isInside?(key: string): boolean

  /** The folder (or bucket, or prefix) of a key, for display and for `getSessionDir`. */
  folderOf(key: string): string

  /**
   * The state of what is stored under the key; undefined when there is none. Nothing of it is read.
   * @throws InvalidSessionError when it cannot be a session (a folder, for example); StorageError when it cannot be accessed
   */
  stat(key: string): Promise<StorageStat | undefined>

  /**
   * The state of the bytes that `readRange` and `openRanges` read, where these are others than those that are stored, as of a session of another
   * agent, which is converted for it. The identity that `stat` has of such a session changes whenever it grows. Without it, it is `stat`.
   * @throws as `stat`
   */
  statContent?(key: string): Promise<StorageStat | undefined>

  /**
   * Lists the stored sessions, without opening them, in no particular order. With `cwd`, only the folders that may contain
   * sessions of that working directory (they may contain others too: the header decides). What cannot be read is listed with its error,
   * and does not end the listing.
   */
  list(filter?: ListFilter): AsyncIterable<StoredName>

  /** Whether `list` has the sessions of every folder with this filter too. Without it, it may leave some out. */
  listsAll?(filter: ListFilter): boolean

  /**
   * Finds sessions by id, without opening them: those whose id is exactly `id`, and those whose id the source does not know
   * (`id` is then undefined). Backups are not found. A source that knows ids does not go through all of its sessions for this.
   */
  find(id: string, options?: Pick<ListFilter, "signal">): AsyncIterable<StoredName>

  /**
   * Reads `length` bytes from `offset`; fewer only if the stored bytes end before.
   * With `identity`, fails when another object is stored under the key.
   * @param into a buffer for that many bytes, which the result may be a view of, so that many reads can reuse memory
   * @throws SessionNotFoundError, SessionChangedError, StorageError
   */
  readRange(key: string, offset: number, length: number, identity?: string, into?: Uint8Array): Promise<Uint8Array>

  /**
   * Opens an object for synchronous reads, so that entries can be read when they are needed. Reads return the bytes of the
   * object with this identity, even after it was replaced under its key.
   * @throws SessionNotFoundError, SessionChangedError, StorageError
   */
  openRanges?(key: string, identity: string): Promise<StoredRanges>

  /**
   * The path to where a session stands, from the compaction that its context begins with or the first message that this kept, or from its start,
   * where that is found without storing the rest, as of a session of another agent that would be converted first. Undefined where only the whole
   * session says the same, or is read as fast.
   * @param options `withParts`: whether entries for its parts are wanted, and what these used, of which a context has none
   * @throws SessionNotFoundError, InvalidSessionError, StorageError
   */
  end?(key: string, options: { readonly withParts: boolean }): Promise<readonly SessionEntry[] | undefined>

  /**
   * What a session used, where that is found without the rest, as of a session of another agent that would be converted first. Undefined where only
   * the whole session says the same, or is read as fast.
   * @throws SessionNotFoundError, InvalidSessionError, StorageError
   */
  usage?(key: string): Promise<SessionUsage | undefined>

  /**
   * The files that are kept with a session. One whose name ends in `.jsonl` may be the transcript of a sub-agent: a session too. Their
   * chunks are read only when they are iterated, and each is valid until the next one is requested.
   * @throws SessionNotFoundError, InvalidSessionError, StorageError
   */
  artifacts(key: string): AsyncIterable<SessionArtifact>

  /**
   * The parts of a session: those of its artifacts that may be transcripts, under keys by which they are read as sessions are.
   * @throws SessionNotFoundError, StorageError
   */
  parts(key: string): AsyncIterable<StoredName>

  /**
   * Yields once at the start, then whenever the stored bytes may have changed: appended to, replaced, removed, or created for the
   * first time. Ends without an error when `signal` aborts, even while it waits, and when the loop over it is left. Undefined where changes
   * cannot be noticed.
   * @throws StorageError when it cannot watch (any more)
   */
  readonly watch: ((key: string, signal: AbortSignal) => AsyncIterable<void>) | undefined

  /** Caches the summaries of listed sessions. Without it, each listing reads the sessions it lists. */
  readonly summaries?: SummaryCache | undefined
}
