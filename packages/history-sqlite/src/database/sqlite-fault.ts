import { isTreelogError, TreelogError } from "@treelog/session-core"

/** SQLite's error code, such as `SQLITE_BUSY`; undefined for other errors. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined
  return error.code.startsWith("SQLITE_") ? error.code : undefined
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? "")
}

/** Whether only an index is damaged, which can be rebuilt from the prompts. */
export function isDamagedIndex(error: unknown): boolean {
  return sqliteCode(error) === "SQLITE_CORRUPT_VTAB"
}

export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "")
}

/** Translates an error of SQLite to a `TreelogError`. */
export function storageError(error: unknown, key: string, operation: string): unknown {
  if (isTreelogError(error)) return error
  const errno = sqliteCode(error) ?? systemCode(error)
  if (errno === undefined) return error
  const message = `The prompt history ${key} cannot be used (${operation}): ${(error as Error).message}`
  return new TreelogError("StorageError", message, { key, operation, errno }, { cause: error })
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined
  return String(error.code)
}
