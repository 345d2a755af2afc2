import { isTreelogError, TreelogError } from "@treelog/session-core"

// The drivers report the same faults in two forms: better-sqlite3 and bun:sqlite have a `code` such as `SQLITE_BUSY`, node:sqlite has the
// number of SQLite as `errcode`. In the number, the lower byte is the kind of error, and the rest is more detail.

/** The names of the numbers (sqlite.org/rescode.html). */
const NAMES: Readonly<Record<number, string>> = {
  1: "ERROR",
  2: "INTERNAL",
  3: "PERM",
  4: "ABORT",
  5: "BUSY",
  6: "LOCKED",
  7: "NOMEM",
  8: "READONLY",
  9: "INTERRUPT",
  10: "IOERR",
  11: "CORRUPT",
  12: "NOTFOUND",
  13: "FULL",
  14: "CANTOPEN",
  15: "PROTOCOL",
  17: "SCHEMA",
  18: "TOOBIG",
  19: "CONSTRAINT",
  20: "MISMATCH",
  21: "MISUSE",
  22: "NOLFS",
  23: "AUTH",
  25: "RANGE",
  26: "NOTADB",
}
/** The one detail that is distinguished. */
const CORRUPT_VTAB = 267

/** SQLite's error code, such as `SQLITE_BUSY`; undefined for other errors. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ("errcode" in error && typeof error.errcode === "number") return codeName(error.errcode)
  if (!("code" in error) || typeof error.code !== "string") return undefined
  return error.code.startsWith("SQLITE_") ? error.code : undefined
}

function codeName(number: number): string {
  if (number === CORRUPT_VTAB) return "SQLITE_CORRUPT_VTAB"
  return `SQLITE_${NAMES[number & 0xff] ?? number}`
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? "")
}

/** Whether only a full-text index is damaged, which can be rebuilt from the other tables. */
export function isDamagedIndex(error: unknown): boolean {
  return sqliteCode(error) === "SQLITE_CORRUPT_VTAB"
}

export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error) ?? "")
}

/**
 * Translates an error of SQLite or of the file system to a `TreelogError`; returns other errors as they are.
 * @param what the database, as the subject of the message: "The prompt history"
 */
export function toStorageError(error: unknown, what: string, key: string, operation: string): unknown {
  if (isTreelogError(error)) return error
  const errno = sqliteCode(error) ?? systemCode(error)
  if (errno === undefined) return error
  const message = `${what} ${key} cannot be used (${operation}): ${(error as Error).message}`
  return new TreelogError("StorageError", message, { key, operation, errno }, { cause: error })
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined
  return String(error.code)
}
