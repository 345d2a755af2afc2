import { isTreelogError, TreelogError } from "@treelog/session-core"

/** The system's own code of an error (`ENOENT`), if it has one. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  const errno = errnoOf(error)
  return errno !== undefined && codes.includes(errno)
}

/** There is nothing at the path. */
export function isGone(error: unknown): boolean {
  return isErrno(error, "ENOENT", "ENOTDIR")
}

/** What the system is asked for; undefined where it refuses: what could not be read is not known. */
export function ifAllowed<T>(ask: () => T): T | undefined {
  try {
    return ask()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}

/** Whether the error came from the system, or reports what the system did wrong. */
export function isStorageFault(error: unknown): boolean {
  return errnoOf(error) !== undefined || isTreelogError(error, "StorageError")
}

/** A system's error as a `StorageError`; any other error as it is. */
export function toStorageError(error: unknown, key: string, operation: string): unknown {
  const errno = errnoOf(error)
  if (errno !== undefined) return storageError(key, operation, errno, error)
  return typeof key !== "string" || key.includes("\0") ? noPath(key) : error
}

/** Node refuses such a path with an error of its own. */
function noPath(key: unknown): TreelogError<"InvalidArgumentError"> {
  const message =
    typeof key === "string" ? `No path holds a NUL character: ${JSON.stringify(key)}` : "A path is a text."
  return new TreelogError("InvalidArgumentError", message, { argument: "path", value: key })
}

export function storageError(
  key: string,
  operation: string,
  errno?: string,
  cause?: unknown,
): TreelogError<"StorageError"> {
  const reason = errno ?? (cause instanceof Error ? cause.message : "refused")
  return new TreelogError("StorageError", `Cannot ${operation} ${key}: ${reason}`, { key, operation, errno }, { cause })
}

/** Runs one operation; a system's error comes out as a `StorageError`. */
export async function withStorageErrors<T>(key: string, operation: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw toStorageError(error, key, operation)
  }
}

/** `withStorageErrors` without promises. */
export function withStorageErrorsSync<T>(key: string, operation: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw toStorageError(error, key, operation)
  }
}
