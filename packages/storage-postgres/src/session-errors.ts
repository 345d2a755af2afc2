import { TreelogError } from "@treelog/session-core"
import { type StorageStat, sessionChanged } from "@treelog/session-core/adapter"

export function leaseLost(key: string, operation: string): TreelogError<"LeaseLostError"> {
  const message = `The lease of ${key} lapsed, or another took it: it cannot ${operation}, and nothing was written. Take a new lease, and read what others wrote.`
  return new TreelogError("LeaseLostError", message, { key, operation })
}

export function uploadRemoved(key: string, operation: string): TreelogError<"StorageError"> {
  const message = `The bytes that were uploaded to ${operation} ${key} were removed as abandoned, and nothing has changed. Try again, and call removeAbandonedUploads with a longer time.`
  return new TreelogError("StorageError", message, { key, operation, errno: undefined })
}

/** @param found the state of what is stored, which is not the expected one */
export function unexpectedState(
  key: string,
  found: StorageStat | undefined,
  expected: StorageStat,
): TreelogError<"SessionChangedError"> {
  if (!found) return sessionChanged(key, "gone")
  if (found.identity !== expected.identity) return sessionChanged(key, "replaced")
  return sessionChanged(key, found.size < expected.size ? "shrunk" : "grown")
}
