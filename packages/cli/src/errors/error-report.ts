import type { TreelogError, TreelogErrorCode } from "@treelog/session-core"
import { plural } from "@treelog-internal/text"

/** What is reported of any error. */
export interface Fault {
  readonly code: string
  readonly message: string
  readonly data: object
}

/** An error without a code of treelog is reported as unexpected, unless the file system refused something. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { code: "InternalError", message: String(error), data: {} }
  const message = commandMessage(error)
  if ("code" in error && error.code === error.name) {
    return { code: error.name, message, data: "data" in error ? (error.data as object) : {} }
  }
  const { code: errno, syscall: operation, path: key } = error as NodeJS.ErrnoException
  if (errno !== undefined && key !== undefined && operation !== undefined && !operation.startsWith("spawn"))
    return {
      code: "StorageError",
      message: `Cannot ${operation} ${key}: ${errno}`,
      data: { key, operation, errno },
    }
  return { code: "InternalError", message: `${message || error.name} (unexpected; --debug shows more)`, data: {} }
}

export function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ""
  return `${error.stack ?? error.message}${cause}`
}

/** The reader of stdout has closed it: the command ends without an error. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}

const FULL =
  "`treelog stats --disk` shows what takes space; `treelog trash empty --apply` and `treelog blobs gc --apply` free some."

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: `The disk is full. ${FULL}`,
  SQLITE_FULL: `The disk is full. ${FULL}`,
  EDQUOT: `The quota is used up. ${FULL}`,
  EROFS: "The file system is mounted for reading only; --store, or --into of keep, names another place.",
  EACCES: "You may not write there; --store, or --into of keep, names another place.",
  EPERM: "You may not write there; --store, or --into of keep, names another place.",
}

/** The message of a library error, with commands instead of API calls. */
export function commandMessage(error: Error): string {
  if (isOf(error, "PersistError")) {
    const { key, pending } = error.data
    const { cause } = error
    const why = cause instanceof Error ? commandMessage(cause) : String(cause)
    const lost =
      pending > 0 ? ` ${plural(pending, "entry", "entries")} ${pending === 1 ? "was" : "were"} not stored.` : ""
    const where = cause instanceof Error && keyOf(cause) === key ? "" : ` at ${key}`
    return `The session could not be stored${where}: ${why}${why.endsWith(".") ? "" : "."}${lost} Run the command again when that is fixed.`
  }
  if (isOf(error, "EntryNotFoundError") && error.data.session !== undefined)
    return `No entry of session ${error.data.session} has the id ${JSON.stringify(error.data.id)}. \`treelog tree\` lists them.`
  if (isOf(error, "StorageError")) {
    const { key, operation, errno = "" } = error.data
    const tables = TABLES[errno]
    if (tables !== undefined)
      return `PostgreSQL could not ${operation} ${key} (${errno}). The tables are ${tables}: run \`treelog store migrate\` with the same --store or TREELOG_STORE.`
  }
  return error.message
}

/** Faults of a database that a migration cures, by their SQLSTATE. */
const TABLES: Readonly<Record<string, string>> = {
  "42P01": "missing",
  "3F000": "missing",
  "42703": "of another version",
}

/** What an error is about, if it says so. */
function keyOf(error: Error): unknown {
  return "data" in error && typeof error.data === "object" && error.data !== null && "key" in error.data
    ? error.data.key
    : undefined
}

/** The path of an index, as `indexPath` makes it. That is not called here: the library is not loaded for an error. */
const INDEX = /[/\\]index-v\d+\.db$/
const INDEX_ADVICE =
  "The index can be deleted at any time: `treelog index --rebuild` replaces it; TREELOG_CACHE_DIR names another folder for it."
/** The disk and the programs that have it open are no fault of the index. */
const NOT_OF_INDEX = /^(ENOSPC|EDQUOT|SQLITE_(FULL|BUSY|LOCKED).*)$/

/** What only reads, as errors name it; `EACCES` and `EPERM` are no fault of the folder to write to then. */
const READS: ReadonlySet<string> = new Set(["read", "stat", "list", "open"])
const REFUSED: ReadonlySet<string> = new Set(["EACCES", "EPERM"])

/** What helps against a fault of the system, a line each. */
export function adviceFor(error: unknown): string[] {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    if (!isOf(fault, "StorageError")) continue
    const { key, errno = "", operation } = fault.data
    if (READS.has(operation) && REFUSED.has(errno) && !INDEX.test(key)) return ["  You may not read it: its owner may."]
    const advice = INDEX.test(key) && !NOT_OF_INDEX.test(errno) ? INDEX_ADVICE : ADVICE[errno]
    if (advice !== undefined) return [`  ${advice}`]
  }
  return []
}

/** By the name alone: the library is not loaded for that. */
function isOf<Code extends TreelogErrorCode>(error: Error, code: Code): error is TreelogError<Code> {
  return error.name === code && "data" in error
}

/** The message of an error with a code, which a picker shows and survives; undefined for any other error. */
export function knownErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && error.code === error.name ? error.message : undefined
}
