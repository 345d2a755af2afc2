import { isTreelogError, TreelogError } from "@treelog/session-core"
import { isStorageFault, toStorageError } from "@treelog-internal/fs"

/** Whether a file is not where it was a moment ago, or not what it was. */
export function isMoved(error: unknown): boolean {
  return isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")
}

/** Whether a value has more levels than a function can follow. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith("Maximum call stack")
}

/** What ended a conversion. Whatever a converter did not expect in its records makes this session unreadable, and no other. */
export function conversionError(key: string, error: unknown): TreelogError {
  const typed = isStorageFault(error) ? toStorageError(error, key, "read") : error
  if (isTreelogError(typed)) return typed
  const isDeep = isTooDeep(error)
  const found = isDeep ? "values that are nested too deeply" : String(error)
  const message = isDeep
    ? `${key} has ${found}.`
    : `${key} has something that this release cannot convert: ${found}. Please report it, with the lines that cause it.`
  return new TreelogError("InvalidSessionError", message, { key, found, isDamaged: true }, { cause: error })
}
