import { TreelogError } from "@treelog/session-core"

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

/** The file system has no hard links, or gives none to this file. */
export function isWithoutLinks(error: unknown): boolean {
  return isErrno(error, "EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")
}

/** The error as this package tells it: a system's error becomes a `StorageError`, any other stays what it is. */
export function toStorageError(error: unknown, path: string, operation: string): unknown {
  const errno = errnoOf(error)
  if (errno === undefined) return error
  const data = { key: path, operation, errno }
  return new TreelogError("StorageError", `Cannot ${operation} ${path}: ${errno}`, data, { cause: error })
}

/** Runs one operation; what the system fails with comes out as a `StorageError`. */
export async function withStorageErrors<T>(path: string, operation: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw toStorageError(error, path, operation)
  }
}
