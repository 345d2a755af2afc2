import type { ContextOptions, SessionContext } from "../context/build-context.js"
import type { SessionHeader } from "../entry/entry.js"
import { isSameFolder } from "../entry/folder-name.js"
import { isTreelogError, TreelogError } from "../errors.js"
import type { BlobSource } from "../ports/blob-store.js"
import { type Clock, systemClock } from "../ports/clock.js"
import { type IdSource, randomIds } from "../ports/ids.js"
import type { SessionSource } from "../ports/session-source.js"
import { isWritable, type SessionStorage } from "../ports/session-storage.js"
import { run } from "../steps.js"
import { followMoves } from "./listing/follow-moves.js"
import { isOfFolder, type ProjectOf, type SessionPlacement } from "./listing/is-of-folder.js"
import { keyOfId, refText, resolveRef, type SessionRef } from "./listing/resolve-ref.js"
import type { SessionInfo } from "./listing/session-info.js"
import { type ListOptions, listSessions, recentSessions } from "./listing/session-list.js"
import { stateOfEntries } from "./load-state.js"
import { openToRead, openToWrite } from "./open-session.js"
import { readContextFromEnd } from "./reader/read-context.js"
import { readHeader } from "./reader/read-stored.js"
import { appendEntries, branchSession, forkSession } from "./rewrite/copy-session.js"
import type { Session, SessionRelatives } from "./session.js"
import { assertFolder, noSessionAt } from "./session-errors.js"
import { SessionFactory } from "./session-factory.js"
import {
  assertOneOf,
  type CreateOptions,
  type InMemoryOptions,
  type NewSessionOptions,
  type OpenOptions,
} from "./session-options.js"
import { keepParts, sessionParts } from "./session-parts.js"
import { SessionState } from "./session-state.js"

/** What a manager is made of. */
export interface SessionManagerOptions<Storage extends SessionSource = SessionStorage> {
  readonly storage: Storage
  /**
   * Where images and very long texts are, and, if it is a `BlobStore`, go: what writes sessions needs one. Without any, images stay in the lines,
   * and texts over 500,000 units are cut for good.
   */
  readonly blobs?: BlobSource
  /** Default: the system's clock. */
  readonly clock?: Clock
  /** Default: random ids. */
  readonly ids?: IdSource
  /**
   * Accept references that are paths of any file: for programs whose user names files, such as a command. Default false: a path must be
   * inside the store, else SessionOutsideStoreError.
   */
  readonly anyFile?: boolean
  /**
   * The project of a folder, such as the root of its repository; undefined for a folder of none. Lists of a folder and `@last` then show
   * the sessions of all folders of its project. A storage for several machines groups sessions by project instead of by folder: there the
   * name must be the same on every machine, such as the address of the repository, and all managers need the same function.
   */
  readonly projectOf?: ProjectOf
}

/**
 * Finds, creates and opens the sessions of a storage. A session is named by a `SessionRef`: an id, an id prefix, a name, `@last` or `@-2`,
 * `{ id }`, or a path inside the store (of any file with `anyFile`). The path of a session is its key in the storage: for files, their path.
 * `Session.saveAs`, and `openSync` and `forkSync` of `@treelog/session-core/sync`, take one that need not be inside the store.
 *
 * On a `SessionSource`, which cannot be written, it has what reads; the rest fails with ReadOnlyStorageError.
 */
export class SessionManager<Storage extends SessionSource = SessionStorage> {
  readonly #storage: Storage
  readonly #factory: SessionFactory
  readonly #anyFile: boolean
  readonly #projectOf: ProjectOf

  /** @throws InvalidArgumentError without a storage */
  constructor({ storage, blobs, clock = systemClock, ids = randomIds, ...options }: SessionManagerOptions<Storage>) {
    if (typeof storage?.list !== "function") {
      const message =
        "A SessionManager takes an object with a `storage`, such as `{ storage: new MemorySessionStorage() }`."
      throw new TreelogError("InvalidArgumentError", message, { argument: "storage", value: storage })
    }
    this.#storage = storage
    this.#anyFile = options.anyFile ?? false
    this.#projectOf = options.projectOf ?? (() => undefined)
    this.#factory = new SessionFactory({ storage, blobs, clock, ids, projectOf: this.#projectOf }, this.#relatives())
    keepParts("SessionManager", this, this.#factory)
  }

  /** The storage that it was made with. */
  get storage(): Storage {
    return this.#storage
  }

  /**
   * A new session of a folder. Its file is made when the first message comes (see `persist`), and never over another.
   * @throws InvalidArgumentError for a chosen id that cannot be part of a file name; SessionExistsError for one that is taken
   */
  async create(this: SessionManager, cwd: string, { entries = [], ...options }: CreateOptions = {}): Promise<Session> {
    const { header, key } = await this.#newPlace(cwd, options)
    await this.#noteAtTerminal(cwd, key)
    return appendEntries(this.#factory.writing(key, { header, state: new SessionState() }, options), entries)
  }

  /**
   * A session that is never written anywhere: empty, or with the `entries` of another one.
   * @throws InvalidArgumentError for an entry without a type or an id, and for a chosen id that cannot be part of a file name
   */
  inMemory(cwd = "", { header, entries = [], ...options }: InMemoryOptions = {}): Session {
    const state = stateOfEntries(entries)
    return this.#factory.inMemory({ header: header ?? this.#factory.newHeader(cwd, options), state })
  }

  /**
   * Opens a session (FORMAT.md, section 4), and never makes one. One of an older version is migrated: in memory when it is read, by an atomic
   * rewrite that keeps a backup otherwise. One of a newer version can be read, and refuses every write.
   * @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError, SessionBusyError, StorageError; InvalidArgumentError for another
   * `access` or a `busyTimeoutMs` below 0
   */
  open(ref: SessionRef, options: OpenOptions & { readonly access: "read" }): Promise<Session>
  open(this: SessionManager, ref: SessionRef, options?: OpenOptions): Promise<Session>
  async open(ref: SessionRef, options: OpenOptions = {}): Promise<Session> {
    return followMoves(
      () => this.resolve(ref, options),
      (key) => this.#openKey(key, ref, options),
    )
  }

  async #openKey(key: string, ref: SessionRef, { access = "exclusive", ...options }: OpenOptions): Promise<Session> {
    assertOneOf("access", access, ["exclusive", "shared", "read"])
    if (access === "read") return openToRead(this.#factory, key, refText(ref))
    const session = await run(openToWrite(this.#factory, key, { ...options, access }))
    return unlessFailed(session, () => this.#noteSession(session))
  }

  /** The session that this terminal left in the folder, else the folder's newest, else a new one. */
  async continueRecent(this: SessionManager, cwd: string, options: CreateOptions = {}): Promise<Session> {
    assertFolder(cwd)
    const newest = async () => (await this.#leftHere(cwd)) ?? (await this.recent(cwd, 1))[0]?.path
    return followMoves(newest, (key) =>
      key === undefined ? this.create(cwd, options) : this.#openKey(key, key, options),
    )
  }

  /**
   * Copies a whole session, all branches, into a new one of the given folder (FORMAT.md, section 5). The source is only read.
   * References to blobs stay what they are: blobs of another store are to be copied into this one's first.
   * @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError, UnsupportedVersionError
   */
  async forkFrom(this: SessionManager, ref: SessionRef, cwd: string, options: CreateOptions = {}): Promise<Session> {
    return forkSession(this.#factory, await this.resolve(ref), cwd, options)
  }

  /** The sessions of a folder, as they are found. */
  list(cwd: string, options?: ListOptions): AsyncGenerator<SessionInfo> {
    return listSessions(this.#storage, cwd, { ...options, projectOf: this.#projectOf })
  }

  /** The sessions of all folders, as they are found. */
  listAll(options?: ListOptions): AsyncGenerator<SessionInfo> {
    return listSessions(this.#storage, undefined, options)
  }

  /** Whether a list of a folder has a session: it was started there, or in another folder of its project. */
  isOfFolder(session: SessionPlacement, cwd: string): boolean {
    return isOfFolder(session, cwd, this.#projectOf)
  }

  /** The newest sessions of a folder, newest first, without those that cannot be read. Reads what a list reads. */
  async recent(cwd: string, limit: number): Promise<SessionInfo[]> {
    return recentSessions(this.#storage, cwd, limit, this.#projectOf)
  }

  /**
   * The path of the session that a reference means (FORMAT.md, section 8). Whether a session is stored there is not checked.
   * @param cwd where `@last` and names look; undefined means everywhere
   * @throws SessionNotFoundError, AmbiguousSessionError; SessionOutsideStoreError unless the manager has `anyFile`
   */
  resolve(ref: SessionRef, { cwd }: { cwd?: string | undefined } = {}): Promise<string> {
    return resolveRef(this.#storage, ref, { cwd, projectOf: this.#projectOf, anyFile: this.#anyFile })
  }

  /** Removes a session and its artifacts for good; a storage of files has a trash beside this. @throws SessionNotFoundError, SessionBusyError */
  async delete(this: SessionManager, ref: SessionRef): Promise<void> {
    await followMoves(
      () => this.resolve(ref),
      async (key) => {
        const lease = await this.#factory.writable(key).lease(key, { access: "exclusive", waitMs: 0, toRemove: true })
        try {
          if (!(await this.#storage.stat(key))) throw noSessionAt(key, refText(ref))
          await lease.remove()
        } finally {
          await lease.release()
        }
      },
    )
  }

  /**
   * What the model would get of a stored session, without opening it for anything else (FORMAT.md, section 6): read from the
   * end, and no further than it takes.
   * @throws SessionNotFoundError, AmbiguousSessionError, InvalidSessionError, EntryNotFoundError, StorageError
   */
  async readContext(
    ref: SessionRef,
    { cwd, leafId, ...options }: ContextOptions & { cwd?: string | undefined; leafId?: string | null } = {},
  ): Promise<SessionContext> {
    const key = await this.resolve(ref, { cwd })
    if (leafId !== null) {
      const context = await readContextFromEnd(this.#storage, key, { ...options, leafId, blobs: this.#factory.blobs })
      if (context) return context
    }
    const session = await openToRead(this.#factory, key, refText(ref))
    try {
      return await session.readContext({ ...options, ...(leafId !== undefined && { leafId }) })
    } finally {
      await session.close()
    }
  }

  /** How its sessions create and open others. */
  #relatives(): SessionRelatives {
    return {
      newSession: (from, options) => this.#newSession(from, options),
      setSessionFile: (from, ref) => this.#setSessionFile(from, ref),
      createBranchedSession: (from, leafId) => branchSession(this.#factory, from, leafId),
      saveAs: (from, ref) => this.#saveAs(from, ref),
    }
  }

  async #newSession(from: Session, options: NewSessionOptions): Promise<Session> {
    if (!from.isPersisted()) return this.#handOver(from, this.inMemory(from.getCwd(), options))
    const { header, key } = await this.#newPlace(from.getCwd(), options)
    const content = { header, state: new SessionState() }
    return this.#handOver(from, this.#factory.writing(key, content, { ...sessionParts(from).writing, ...options }))
  }

  async #setSessionFile(from: Session, ref: SessionRef): Promise<Session> {
    const options = { ...sessionParts(from).writing, cwd: from.getCwd() }
    const key = await this.resolve(ref, options)
    // The next session is opened first: where that fails, the caller still has this one. Only this one itself has to be closed before.
    if (key === from.getSessionFile()) await from.close()
    return this.#handOver(from, await run(openToWrite(this.#factory, key, options)))
  }

  async #saveAs(from: Session, ref: string): Promise<void> {
    const key = typeof ref === "string" ? this.#storage.keyFromRef(ref) : undefined
    if (key === undefined) {
      const message = `${JSON.stringify(ref)} is not a path in this storage.`
      throw new TreelogError("InvalidArgumentError", message, { argument: "path", value: ref })
    }
    await sessionParts(from).store.saveAs(key)
    await this.#noteSession(from)
  }

  /** Closes the session that is left. Where that fails it stays open, and the next one, which the caller would not get, does not. */
  #handOver(from: Session, next: Session): Promise<Session> {
    return unlessFailed(next, async () => {
      await from.close()
      await this.#noteSession(next)
    })
  }

  async #noteSession(session: Session): Promise<void> {
    const key = session.getSessionFile()
    if (key !== undefined) await this.#noteAtTerminal(session.getCwd(), key)
  }

  async #noteAtTerminal(cwd: string, key: string): Promise<void> {
    if (isWritable(this.#storage)) await this.#storage.breadcrumbs?.write(cwd, key)
  }

  /** @throws InvalidArgumentError, SessionExistsError for the id that was chosen */
  async #newPlace(cwd: string, options: NewSessionOptions): Promise<{ header: SessionHeader; key: string }> {
    const header = this.#factory.newHeader(cwd, options)
    const key = options.id === undefined ? undefined : await keyOfId(this.#storage, options.id)
    if (key === undefined) return { header, key: this.#factory.keyFor(header) }
    const message = `There is a session with the id ${options.id} already: ${key}.`
    throw new TreelogError("SessionExistsError", message, { key })
  }

  /** The breadcrumb of this terminal, if it names this folder and a session of it that exists. */
  async #leftHere(this: SessionManager, cwd: string): Promise<string | undefined> {
    const left = await this.#storage.breadcrumbs?.read()
    if (left === undefined || !isSameFolder(left.cwd, cwd)) return undefined
    try {
      const header = await readHeader(this.#storage, left.key)
      return header && isSameFolder(header.cwd, cwd) ? left.key : undefined
    } catch (error) {
      // One that is gone or broken cannot be continued; the newest of the folder can. That it cannot be read now is another matter.
      const errno = isTreelogError(error, "StorageError") ? error.data.errno : undefined
      const isGone = errno === "ENOENT" || errno === "ENOTDIR"
      if (isTreelogError(error) && (error.code !== "StorageError" || isGone)) return undefined
      throw error
    }
  }
}

/** The session, once `work` is done; where that fails, a session that was not returned yet is released. */
async function unlessFailed(session: Session, work: () => Promise<void>): Promise<Session> {
  try {
    await work()
    return session
  } catch (error) {
    // Should that fail as well, the session can be taken again anyway (`Lease.release`): the first failure counts.
    await Promise.allSettled([session.discard()])
    throw error
  }
}
