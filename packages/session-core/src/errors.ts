/** The `data` of each error, by code; `key` names what is stored: of a session, it is its `path`. docs/ERRORS.md has a heading for each code. */
export interface TreelogErrorData {
  /** No session matches the reference. `count`: of one that counts the newest (`@-2`), how many there are; of the folder `cwd`, if it is limited to one. */
  SessionNotFoundError: { ref: string; count?: number; cwd?: string | undefined }
  /** The path is not inside the store, and the manager does not accept any file (`anyFile`). */
  SessionOutsideStoreError: { ref: string }
  /** The reference matches several sessions. */
  AmbiguousSessionError: { ref: string; candidates: readonly SessionCandidate[] }
  /** The file is not a session: it is empty, or its first parseable line is not a header. `isDamaged`: it has parts of one, or is one that is not read for what it has. */
  InvalidSessionError: { key: string; found: string; isDamaged?: boolean }
  /** The version of the file is newer than this library, or not a number: the file can be read but not written. */
  UnsupportedVersionError: { key: string; version: unknown }
  /** Another process, or another session object of this process, holds the session for writing. */
  SessionBusyError: { key: string; pid: number; host: string; since: string }
  /** The lease lapsed, or another took it, before this operation: nothing was written. */
  LeaseLostError: { key: string; operation: string }
  /** A session with this key exists already. */
  SessionExistsError: { key: string }
  /** The stored file has changed since it was read: it was replaced, removed, truncated, or has grown. */
  SessionChangedError: { key: string; change: "replaced" | "gone" | "shrunk" | "grown" }
  /**
   * The storage can only be read: its sessions are another program's. `key` is the session or, for a new one, the folder of the storage;
   * `instead` is the command that copies a session to where it can be written.
   */
  ReadOnlyStorageError: { key: string; instead: string }
  /** A write failed. The entries stay in memory, in order; `retry()` writes them again. */
  PersistError: { key: string; pending: number }
  /** The session was opened for reading. */
  ReadOnlySessionError: { key: string }
  /** The session was closed. */
  SessionClosedError: { key: string | undefined }
  /** No entry of this session has the id. `session` is the id of the session. */
  EntryNotFoundError: { id: string; session?: string }
  /** The entry cannot be written as JSON: it has a BigInt or a cycle, or its line is longer than a string can be. */
  UnserializableEntryError: { type: string; reason: string }
  /** An argument is not what the method documents. */
  InvalidArgumentError: { argument: string; value: unknown }
  /** No blob has the hash. */
  BlobNotFoundError: { hash: string }
  /** The bytes stored under a hash do not match it. `quarantine` is where they were moved, if they were. */
  BlobDamagedError: { hash: string; actual: string; quarantine: string | undefined }
  /** The storage failed an operation; `errno` is the code of the operating system, if there is one. */
  StorageError: { key: string; operation: string; errno: string | undefined }
  /** The history cannot be used: its driver is not installed or does not load here, or the history is closed. */
  HistoryUnavailableError: { reason: "not-installed" | "not-loadable" | "closed" }
  /** The index of sessions cannot be used: its driver is not installed or does not load here, or the index is closed. */
  IndexUnavailableError: { reason: "not-installed" | "not-loadable" | "closed" }
}

/** A session that an ambiguous reference matches. */
export interface SessionCandidate {
  readonly path: string
  readonly id: string
  readonly name?: string | undefined
}

/** The codes of all errors; docs/ERRORS.md explains each. */
export type TreelogErrorCode = keyof TreelogErrorData

/**
 * The error class of treelog. Compare `code`, not the message: codes are stable across releases, copies of the package and
 * bundlers. `data` has the details, typed by code; `cause` is the underlying error, if any.
 */
export class TreelogError<Code extends TreelogErrorCode = TreelogErrorCode> extends Error {
  readonly code: Code
  readonly data: TreelogErrorData[Code]

  constructor(code: Code, message: string, data: TreelogErrorData[Code], options?: { cause?: unknown }) {
    super(message, options)
    this.name = code
    this.code = code
    this.data = data
  }

  toJSON(): { code: Code; message: string; data: TreelogErrorData[Code] } {
    return { code: this.code, message: this.message, data: this.data }
  }
}

/** Whether `error` is a treelog error, with the code `code` if one is passed. Works across copies of the package. */
export function isTreelogError<Code extends TreelogErrorCode = TreelogErrorCode>(
  error: unknown,
  code?: Code,
): error is TreelogError<Code> {
  if (!(error instanceof Error) || !("code" in error) || !("data" in error) || error.name !== error.code) return false
  return code === undefined || error.code === code
}
