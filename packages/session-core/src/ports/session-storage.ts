import type { StorageStat } from "./storage-stat.js"
import type { ListFilter, StoredName } from "./stored-name.js"
import type { SummaryCache } from "./summary-cache.js"

export type { StorageStat } from "./storage-stat.js"
export type { ListFilter, StoredName } from "./stored-name.js"

/**
 * Where sessions are kept: bytes in, bytes out. The core never asks for a key to be a path or for a session to be a
 * file; a table row or an object will do. Reading goes through the storage, and **every write goes through a lease**,
 * so that nothing can be written by someone who does not hold the session.
 *
 * Failures are `TreelogError`s: adapters translate their platform's errors at their edge (`StorageError` where no other
 * code fits). `@treelog/session-core/testing` exports the contract suite that an implementation proves itself with.
 */
export interface SessionStorage {
  readonly supports: StorageSupports

  /** The key that a new session gets. Writes nothing, and has the same answer for the same place. */
  keyFor(place: SessionPlace): string

  /** The key that a user's reference names directly (a path, say), or undefined where it can only be an id or a name. */
  keyFromRef(ref: string): string | undefined

  /** The folder (or bucket, or prefix) that a key lies in, for people and for `getSessionDir`. */
  folderOf(key: string): string

  /**
   * What is stored under the key now; undefined when nothing is.
   * @throws InvalidSessionError when what is there can be no session (a folder, say); StorageError when it cannot be looked at.
   */
  stat(key: string): Promise<StorageStat | undefined>

  /**
   * Names what is stored, without opening any of it, in no particular order. With `cwd`, only the buckets that may hold
   * sessions of that folder (a bucket may hold others too: the header decides). What cannot be looked into is named with its error,
   * and never hides the rest.
   */
  list(filter?: ListFilter): AsyncIterable<StoredName>

  /**
   * Reads `length` bytes from `offset`; fewer only where the stored bytes end.
   * With `identity`, fails when the key no longer holds the object that had it.
   * @param into room for that many bytes, which the result may be a part of: whoever reads much need not take new memory each time
   * @throws SessionNotFoundError, SessionChangedError, StorageError
   */
  readRange(key: string, offset: number, length: number, identity?: string, into?: Uint8Array): Promise<Uint8Array>

  /**
   * Opens what is stored to be read without promises, so that entries can stay where they are until they are asked for. It shows the
   * object that has the identity, also after the key was given to another one. Present where `supports.syncReads`.
   * @throws SessionNotFoundError, SessionChangedError, StorageError
   */
  openRanges?(key: string, identity: string): Promise<StoredRanges>

  /**
   * Takes the session for writing. At most one lease of a key is held at any time, across processes where
   * `supports.processes`. One whose owner died is taken over at once. The stored bytes are not touched, and need not exist yet.
   * @throws SessionBusyError after `waitMs` while another holds it
   */
  lease(key: string, options: LeaseOptions): Promise<Lease>

  /**
   * Yields once at the start, then whenever the stored bytes may have changed: appended to, replaced, removed, or there for the
   * first time. Ends without an error when `signal` aborts, at once also while it waits, and when the loop over it is left.
   * Present where `supports.watch`.
   * @throws StorageError when it cannot watch (any more)
   */
  watch?(key: string, signal: AbortSignal): AsyncIterable<void>

  /** Where the last session of this terminal is noted. Present where `supports.breadcrumbs`. */
  readonly breadcrumbs?: Breadcrumbs

  /** What listings found out, kept for the next ones. Without it, each listing reads the sessions it lists. */
  readonly summaries?: SummaryCache | undefined
}

/** What a storage can do. The contract suite derives its skips from it, with the reason. */
export interface StorageSupports {
  /** Leases exclude other processes, not only other callers of this object. */
  readonly processes: boolean
  /** Written bytes outlive the process once `sync` resolved. */
  readonly durable: boolean
  readonly watch: boolean
  readonly breadcrumbs: boolean
  /** Sessions may have companions (artifacts) that move, fork and go with them. */
  readonly artifacts: boolean
  /** Ranges can be read without promises. Where they cannot, an open session keeps its bytes in memory. */
  readonly syncReads: boolean
}

/** The bytes of one stored object, at once. */
export interface StoredRanges {
  /**
   * `length` bytes from `offset`; fewer only where they end. The caller does not change them.
   * @param into room for that many bytes, as for `readRange`
   * @throws StorageError
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array
  /** Resolves when the rest of the process had its turn: who reads much asks for it now and then. */
  pause?(): Promise<void>
  /** Gives back what reading needs (an open file, say). Reading after that takes it again, and may fail where the object is gone. */
  close(): void
}

/** What tells where a new session goes. */
export interface SessionPlace {
  readonly cwd: string
  readonly id: string
  /** ISO 8601. */
  readonly timestamp: string
}

/** How a session is taken for writing. */
export interface LeaseOptions {
  /** How the session is opened; noted for whoever finds it busy. */
  readonly access: "exclusive" | "shared"
  /** How long to wait for another holder. Milliseconds; 0 fails at once. */
  readonly waitMs: number
  /**
   * The lease is taken only to remove the session. Where a storage needs space to exclude others and there is none, it may then
   * do with finding that nobody holds the session: on a full disk, removing is what makes space.
   */
  readonly toRemove?: boolean
}

/** The right to write one session, and the only way to. After `release` every method but `release` fails with StorageError. */
export interface Lease {
  readonly key: string

  /**
   * Stores a new session, exclusively: never over an existing one. The name is durable after `sync`.
   * With `artifactsFrom`, the companions of that session are copied along.
   * @throws SessionExistsError, StorageError
   */
  create(chunks: Chunks, options?: { artifactsFrom?: string }): Promise<StorageStat>

  /**
   * Appends the bytes: all of them, or none. `expected` is what the caller believes to be stored; the result is what is
   * stored now, which is more than both together when a writer without a lease slipped in: the caller reads again then. A part that a failing disk took is cut back, at the latest before the next append.
   * @throws SessionChangedError when the object is another, gone, shorter, or longer than expected; StorageError
   */
  append(bytes: Uint8Array, expected: StorageStat): Promise<StorageStat>

  /**
   * Resolves when everything written through this lease outlives a crash. Bytes that were appended must be synced through the
   * lease that appended them.
   * @throws SessionChangedError when they went to an object that no longer has the key; StorageError
   */
  sync(): Promise<void>

  /**
   * Replaces the stored bytes, atomically and durably: a crash leaves the old or the new ones, whole. With `keepAs`, the
   * old bytes stay under the key with exactly that suffix (something is added where the name is taken), and `kept` names it.
   * @throws SessionChangedError when what is stored is not `expected`; StorageError
   */
  replace(
    chunks: Chunks,
    options: { expected: StorageStat; keepAs?: string },
  ): Promise<{ stat: StorageStat; kept?: string }>

  /**
   * Renames the session, with its companions, never over an existing one; what has no bytes, as a rename that was killed may leave
   * it there, can be replaced. The lease holds the new key afterwards.
   * @throws SessionExistsError; SessionBusyError when another holds the new key; SessionNotFoundError when nothing is stored
   */
  move(to: string): Promise<void>

  /**
   * Renames the stored bytes to the key with a suffix (something is added where that name is taken), out of the listing's sight,
   * and returns the name. Companions stay where they are.
   * @throws SessionNotFoundError when nothing is stored
   */
  quarantine(suffix: string): Promise<string>

  /** Removes the session and its companions. Resolves also when there was nothing. */
  remove(): Promise<void>

  /**
   * Gives the session back. Once is enough, and a second time does no harm. Where it fails, this process can take the session again
   * all the same: its lease would otherwise stand in everyone's way for as long as it lives.
   */
  release(): Promise<void>
}

/** Bytes in pieces, so that a large session need not be held in memory to be written. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The last session of a terminal (FORMAT.md, section 1). */
export interface Breadcrumbs {
  read(): Promise<{ cwd: string; key: string } | undefined>
  write(cwd: string, key: string): Promise<void>
}
