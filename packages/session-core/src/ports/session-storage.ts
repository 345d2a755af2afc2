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

  /** The same for one key; undefined when nothing is stored under it. */
  find(key: string): Promise<FoundSession | undefined>

  /** @param stat the same object that `scan` or `find` returned before the session was read */
  put(key: string, stat: StorageStat, state: SummaryState): void

  /** Saves what was put, at the end of a listing. */
  flush(): Promise<void>
}

/** A session that a scan of the cache found. */
export interface FoundSession extends StoredName {
  /** The state of the stored object; absent if `error` is set. */
  readonly stat?: StorageStat | undefined
  /** The cached summary of this object, if the object has not changed since then, or has only grown. */
  readonly cached?: CachedSummary
  /** When it was written last, where only that is known. Milliseconds since 1970. */
  readonly modified?: number
  /** Opens the object as it was found, where the storage reads many of them at a time. Undefined where it was replaced since then. */
  readonly open?: () => Promise<StoredRanges | undefined>
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

/**
 * Stores sessions as bytes. A key need not be a path, and a session need not be a file: a table row or an object of a bucket will do.
 * Reads go through the storage, and **every write goes through a lease**, so that only the holder of a session can write it.
 *
 * Methods fail with `TreelogError`s: adapters translate the errors of their platform (to `StorageError` if no other code fits).
 * `@treelog/session-core/testing` exports the contract suite for implementations.
 */
export interface SessionStorage {
  readonly supports: StorageSupports

  /**
   * The key for a new session. Writes nothing, and returns the same key for the same place.
   * @throws ReadOnlyStorageError unless `supports.writes`
   */
  keyFor(place: SessionPlace): string

  /** The key that a user's reference names directly (a path, for example); undefined if it can only be an id or a name. */
  keyFromRef(ref: string): string | undefined

  /**
   * Whether the key is where this storage has its sessions, by the key alone: nothing is read. Without it, only the keys that `list` yields
   * are inside.
   */
  isInside?(key: string): boolean

  /** The folder (or bucket, or prefix) of a key, for display and for `getSessionDir`. */
  folderOf(key: string): string

  /**
   * The state of the object stored under the key; undefined when there is none.
   * @throws InvalidSessionError when it cannot be a session (a folder, for example); StorageError when it cannot be accessed
   */
  stat(key: string): Promise<StorageStat | undefined>

  /**
   * Lists the stored sessions, without opening them, in no particular order. With `cwd`, only the folders that may contain
   * sessions of that working directory (they may contain others too: the header decides). What cannot be read is listed with its error,
   * and does not end the listing.
   */
  list(filter?: ListFilter): AsyncIterable<StoredName>

  /**
   * Finds sessions by id, without opening them: those whose id is exactly `id`, and those whose id the storage does not know
   * (`id` is then undefined). Backups are not found. A storage that knows ids does not go through all of its sessions for this.
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
   * Takes the session for writing. At most one lease of a key is held at any time, also across processes, if
   * they share what is stored. A lease of a dead owner is taken over at once, or, if `supports.expires`, when it lapses. The stored bytes are not changed, and need not exist yet.
   * @throws SessionBusyError when another still holds it after `waitMs`; ReadOnlyStorageError unless `supports.writes`
   */
  lease(key: string, options: LeaseOptions): Promise<Lease>

  /** Like `stat`, without promises. The next two come with it. */
  statSync?(key: string): StorageStat | undefined

  /** Like `openRanges`, without promises. */
  openRangesSync?(key: string, identity: string): StoredRanges

  /**
   * Like `lease`, without promises: the thread stops while it waits. A holder in this process is not waited for.
   * @throws what `lease` throws
   */
  leaseSync?(key: string, options: LeaseOptions): SyncLease

  /**
   * Takes the lease, appends, syncs and releases in one step: one round trip for a storage on a network. What it stored is durable,
   * even if its answer is lost.
   * @throws what `lease` and `Lease.append` throw; nothing was written then, except where an answer was lost (see `Lease.append`)
   */
  leaseAndAppend?(key: string, options: LeaseOptions, bytes: Uint8Array, expected: StorageStat): Promise<StorageStat>

  /**
   * Stores those artifacts that the session does not have, or of which it has the beginning. Those that it has otherwise stay as they are,
   * unless `replace` is true. Present if `supports.artifacts`.
   * @throws SessionBusyError when another holds the session, and there is something to store; StorageError; errors of `artifacts`
   */
  addArtifacts?(
    key: string,
    artifacts: AsyncIterable<SessionArtifact>,
    options?: { replace?: boolean },
  ): Promise<AddedArtifacts>

  /**
   * The files that are kept with a session. One whose name ends in `.jsonl` may be the transcript of a sub-agent: a session too. Their
   * chunks are read only when they are iterated, and each is valid until the next one is requested. Without it, sessions have none.
   * @throws SessionNotFoundError, InvalidSessionError, StorageError
   */
  artifacts?(key: string): AsyncIterable<SessionArtifact>

  /**
   * The parts of a session: those of its artifacts that may be transcripts, under keys by which they are read as sessions are. Without it,
   * sessions have none.
   * @throws SessionNotFoundError, StorageError
   */
  parts?(key: string): AsyncIterable<StoredName>

  /**
   * Yields once at the start, then whenever the stored bytes may have changed: appended to, replaced, removed, or created for the
   * first time. Ends without an error when `signal` aborts, even while it waits, and when the loop over it is left.
   * @throws StorageError when it cannot watch (any more)
   */
  watch?(key: string, signal: AbortSignal): AsyncIterable<void>

  /** Records the last session of this terminal. */
  readonly breadcrumbs?: Breadcrumbs

  /** Caches the summaries of listed sessions. Without it, each listing reads the sessions it lists. */
  readonly summaries?: SummaryCache | undefined
}

/** What callers must know of a storage, besides which optional members it has. */
export interface StorageSupports {
  /**
   * Whether sessions can be written. If not, `keyFor`, `lease` and `leaseAndAppend` fail with ReadOnlyStorageError, and nothing is
   * ever changed: the sessions are another program's.
   */
  readonly writes: boolean
  /** Whether sessions may have artifacts, which are copied, moved and removed with them. */
  readonly artifacts: boolean
  /**
   * Whether a lease lapses when its holder does not renew it in time (because it stopped, was cut off, or is dead), so that another
   * can take it.
   */
  readonly expires: boolean
}

/** A file that is kept with a session. */
export interface SessionArtifact {
  /** A relative path with `/`, which does not leave the folder of the artifacts. */
  readonly name: string
  /** Undefined for what is not a file, such as a link. */
  readonly chunks: AsyncIterable<Uint8Array> | undefined
}

/** What became of artifacts. */
export interface AddedArtifacts {
  /** How many files were stored. */
  readonly added: number
  /** The names of those that were not: of links and the like, and where the session has other files of these names. */
  readonly left: readonly string[]
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

/** The properties of a new session that determine its key. */
export interface SessionPlace {
  readonly cwd: string
  readonly id: string
  /** ISO 8601. */
  readonly timestamp: string
  /**
   * The name of the project, the same on every machine. A storage for several machines groups by it instead of by `cwd`, which
   * differs between them; others may ignore it.
   */
  readonly project?: string | undefined
}

/** Options for taking a lease. */
export interface LeaseOptions {
  /** How the session is opened; recorded for others that find it busy. */
  readonly access: "exclusive" | "shared"
  /** How long to wait for another holder. Milliseconds; with 0 it fails at once. */
  readonly waitMs: number
  /**
   * The lease is taken only to remove the session. If the storage needs disk space to exclude others and there is none, it may
   * then only check that nobody holds the session: on a full disk, removing sessions frees space.
   */
  readonly toRemove?: boolean
}

/**
 * The exclusive right to write one session. After `release`, every other method fails with StorageError. If `supports.expires`, the
 * lease can lapse, and another can take it: from then on every method fails with LeaseLostError and changes nothing, whether or not
 * another has taken it, and `release` does nothing.
 */
export interface Lease {
  readonly key: string

  /**
   * Stores a new session, and never overwrites an existing one. The name is durable after `sync`.
   * With `artifactsFrom`, the artifacts of that session are copied too.
   * @throws SessionExistsError, StorageError
   */
  create(chunks: Chunks, options?: { artifactsFrom?: string }): Promise<StorageStat>

  /**
   * Appends the bytes: all of them, or none. `expected` is the state that the caller expects; the result is the new state,
   * which is larger than both together if a program without a lease appended at the same time: the caller then reads again.
   * If a write fails halfway, the written part is cut off, at the latest before the next append. If only the answer is lost (on a
   * network), it fails with StorageError although the bytes may be stored. Repeated with the same bytes and `expected`, by this lease
   * or a later one, it stores them at most once: it resolves, or fails with SessionChangedError `grown`, and reading finds them.
   * @throws SessionChangedError when the object was replaced or removed, or is shorter or longer than expected; StorageError
   */
  append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat>

  /**
   * Resolves when everything written through this lease is durable. Appended bytes must be synced through the
   * lease that appended them, or, if `supports.expires`, through a later one: the first may have lapsed.
   * @throws SessionChangedError when the object that was written to is not the stored one any more; StorageError
   */
  sync(options?: SyncOptions): Promise<void>

  /**
   * Replaces the stored bytes, atomically and durably: after a crash, either all old or all new bytes are stored. With `keepAs`, the
   * old bytes are kept under the key with that suffix (and a number if the name is taken); `kept` is its name.
   * @throws SessionChangedError when the stored object is not `expected`; StorageError
   */
  replace(
    chunks: Chunks,
    options: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }>

  /**
   * Renames the session with its artifacts, and never overwrites an existing one; an empty object, which a killed rename may leave
   * behind, can be replaced. The lease then holds the new key.
   * @throws SessionExistsError; SessionBusyError when another holds the new key; SessionNotFoundError when nothing is stored
   */
  move(to: string): Promise<void>

  /** Removes the session and its artifacts. Also resolves when there was nothing. */
  remove(): Promise<void>

  /**
   * Releases the session: other processes can take it when this resolves. A second call does nothing. Even if it
   * fails, this process can take the session again: otherwise its lease would block all others for as long as the process lives.
   */
  release(): Promise<void>
}

/** What becomes durable. */
export interface SyncOptions {
  /**
   * The state after the last write: the whole object becomes durable, with what earlier leases wrote. A storage whose writes are durable
   * when they resolve ignores it.
   */
  readonly all?: StorageStat
}

/**
 * A lease of a storage that has `leaseSync`. The methods without promises do what those of the same name do, at once, and may be
 * called while one with a promise is under way.
 */
export interface SyncLease extends Lease {
  /**
   * May keep the chunks, as `appendSync` does.
   * @param options without `sync` (default true), the bytes may be lost in a power failure until the lease is synced, as appended ones
   */
  createSync(chunks: Iterable<Uint8Array>, options?: { sync?: boolean }): StorageStat
  /** May keep the bytes: the caller does not change them any more. */
  appendSync(bytes: Uint8Array, expected: StorageStat): StorageStat
  syncSync(options?: SyncOptions): void
  replaceSync(
    chunks: Iterable<Uint8Array>,
    options: { expected: StorageStat; keepAs?: string },
  ): { stat: StorageStat; kept?: string }
  releaseSync(): void
  /**
   * Asked when a shared session is written that syncs with `all` only, and that will soon be written again. Calls `giveUp` when another wants the
   * session, in this process or in another one, and when nothing was appended for a moment; it is released then, or as soon as nothing is under way.
   * Returns false where it will not be called, as while the process exits: the lease is then released after each write. Without this
   * method too.
   */
  keepUntilWanted?(giveUp: () => void): boolean
}

/** The most bytes that an adapter reads or writes in one call: operating systems and Node reject 2 GiB. */
export const MAX_IO_BYTES = 1_073_741_824

/** Bytes in chunks, so that a large session can be written without holding it in memory. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The last session of a terminal (FORMAT.md, section 1). */
export interface Breadcrumbs {
  read(): Promise<{ cwd: string; key: string } | undefined>
  write(cwd: string, key: string): Promise<void>
}
