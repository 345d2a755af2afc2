/** What each error carries beside its message, by code. Every code has a heading in docs/ERRORS.md. */
export interface TreelogErrorData {
  /** No session answers to the reference. */
  SessionNotFoundError: { ref: string }
  /** A path names no session that the store lists, and the manager is limited to these (`insideStoreOnly`). */
  SessionOutsideStoreError: { ref: string }
  /** A reference fits several sessions. */
  AmbiguousSessionError: { ref: string; candidates: readonly SessionCandidate[] }
  /** The file is no session: it has bytes, but its first parseable line is no header. */
  InvalidSessionError: { key: string; found: string }
  /** The file's version is newer than this library, or no number: it can be read, never written. */
  UnsupportedVersionError: { key: string; version: unknown }
  /** Another process (or another session object of this one) holds the session for writing. */
  SessionBusyError: { key: string; pid: number; host: string; since: string }
  /** A session was to be created where one exists already. */
  SessionExistsError: { key: string }
  /** The stored file is no longer the one that was read: it was replaced, removed, cut, or grew in the meantime. */
  SessionChangedError: { key: string; change: "replaced" | "gone" | "shrunk" | "grown" }
  /** A write failed. The entries stay in memory, in order; `retry()` writes them again. */
  PersistError: { path: string; pending: number }
  /** The session was opened for reading. */
  ReadOnlySessionError: { key: string }
  /** The session was closed. */
  SessionClosedError: { key: string | undefined }
  /** No entry of this session has the id. */
  EntryNotFoundError: { id: string }
  /** The entry cannot be written as JSON: a BigInt, a cycle, or a line that is longer than a string can be. */
  UnserializableEntryError: { type: string; reason: string }
  /** An argument is not of the form that the method documents. */
  InvalidArgumentError: { argument: string; value: unknown }
  /** No blob has the hash. */
  BlobNotFoundError: { hash: string }
  /** The bytes stored under a hash are not those that were stored: they were set aside, or left where they are. */
  BlobDamagedError: { hash: string; actual: string; quarantine: string | undefined }
  /** The storage refused an operation; `errno` is the system's own code where there is one. */
  StorageError: { key: string; operation: string; errno: string | undefined }
  /** There is nothing to keep prompts in: what it takes is not installed or does not load here, or the history is closed. */
  HistoryUnavailableError: { reason: "not-installed" | "not-loadable" | "closed" }
}

/** A session that a reference might have meant. */
export interface SessionCandidate {
  readonly key: string
  readonly id: string
  readonly name?: string | undefined
}

/** The codes of all errors; ERRORS.md explains each. */
export type TreelogErrorCode = keyof TreelogErrorData

/**
 * The one error class of treelog. Compare `code`, never the text: codes are stable across releases, copies of the
 * package and bundlers. `data` says where and what, typed by code; `cause` is the underlying error, if any.
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

/** True when `error` is a treelog error, of the given code if one is named. Works across copies of the package. */
export function isTreelogError<Code extends TreelogErrorCode = TreelogErrorCode>(
  error: unknown,
  code?: Code,
): error is TreelogError<Code> {
  if (!(error instanceof Error) || !("code" in error) || !("data" in error) || error.name !== error.code) return false
  return code === undefined || error.code === code
}
