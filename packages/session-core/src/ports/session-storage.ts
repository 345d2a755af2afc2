import { TreelogError } from "../errors.js"
import type { SessionArtifact, SessionSource, StorageStat, StoredRanges } from "./session-source.js"

/**
 * Stores sessions as bytes. Reads go through the storage, and **every write goes through a lease**, so that only the holder of a session can
 * write it.
 */
export interface SessionStorage extends SessionSource {
  /** The key for a new session. Writes nothing, and returns the same key for the same place. */
  keyFor(place: SessionPlace): string

  /**
   * Takes the session for writing. At most one lease of a key is held at any time, also across processes, if
   * they share what is stored. A lease of a dead owner is taken over at once, or, if `leasesExpire`, when it lapses. The stored bytes are not changed, and need not exist yet.
   * @throws SessionBusyError when another still holds it after `waitMs`
   */
  lease(key: string, options: LeaseOptions): Promise<Lease>

  /**
   * Whether a lease lapses when its holder does not renew it in time (because it stopped, was cut off, or is dead), so that another
   * can take it.
   */
  readonly leasesExpire: boolean

  /**
   * Takes the lease, appends, syncs and releases in one step: one round trip for a storage on a network. What it stored is durable,
   * even if its answer is lost.
   * @throws what `lease` and `Lease.append` throw; nothing was written then, except where an answer was lost (see `Lease.append`)
   */
  leaseAndAppend?(key: string, options: LeaseOptions, bytes: Uint8Array, expected: StorageStat): Promise<StorageStat>

  /**
   * Stores those artifacts that the session does not have, or of which it has the beginning. Those that it has otherwise stay as they are,
   * unless `replace` is true. Undefined where sessions cannot have artifacts; elsewhere they are copied, moved and removed with their session.
   * @throws SessionBusyError when another holds the session, and there is something to store; StorageError; errors of `artifacts`
   */
  readonly addArtifacts:
    | ((
        key: string,
        artifacts: AsyncIterable<SessionArtifact>,
        options?: { replace?: boolean },
      ) => Promise<AddedArtifacts>)
    | undefined

  /** Records the last session of this terminal; undefined where terminals are not distinguished. */
  readonly breadcrumbs: Breadcrumbs | undefined
}

/** A storage that can be read and written without promises. */
export interface SyncSessionStorage extends SessionStorage {
  /** Like `stat`, without promises. */
  statSync(key: string): StorageStat | undefined

  /** Like `openRanges`, without promises. */
  openRangesSync(key: string, identity: string): StoredRanges

  /**
   * Like `lease`, without promises: the thread stops while it waits. A holder in this process is not waited for.
   * @throws what `lease` throws
   */
  leaseSync(key: string, options: LeaseOptions): SyncLease
}

/** Whether sessions of a source can be written. */
export function isWritable<Source extends SessionSource>(source: Source): source is Source & SessionStorage {
  return "lease" in source
}

/** The storage of what is to be written. @param key of the session, or the folder of a new one @throws ReadOnlyStorageError */
export function requireStorage(source: SessionSource, key: string): SessionStorage {
  if (isWritable(source)) return source
  const instead = "treelog import --from STORE ID"
  const message = `${key} is of another program, and only read. To write in a copy, import it into a storage: ${instead}`
  throw new TreelogError("ReadOnlyStorageError", message, { key, instead })
}

/** What became of artifacts. */
export interface AddedArtifacts {
  /** How many files were stored. */
  readonly added: number
  /** The names of those that were not: of links and the like, and where the session has other files of these names. */
  readonly left: readonly string[]
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
   * then only check that the session is not held: on a full disk, removing sessions frees space.
   */
  readonly toRemove?: boolean
}

/**
 * The exclusive right to write one session. After `release`, every other method fails with StorageError. If `leasesExpire`, the
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
   * lease that appended them, or, if `leasesExpire`, through a later one: the first may have lapsed.
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

/** Bytes in chunks, so that a large session can be written without holding it in memory. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** The last session of a terminal (FORMAT.md, section 1). */
export interface Breadcrumbs {
  read(): Promise<{ cwd: string; key: string } | undefined>
  write(cwd: string, key: string): Promise<void>
}
