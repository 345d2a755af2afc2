import { isTreelogError, TreelogError } from "@treelog/session-core"

/** What to do, by the code of PostgreSQL (SQLSTATE), of Node, or of a driver. */
const ADVICE: Readonly<Record<string, string>> = {
  "42P01": "The tables are missing: run migrate(client).",
  "3F000": "The tables are missing: run migrate(client).",
  "42703": "The tables are of another version: run migrate(client).",
  "42501":
    "The role lacks a right on the tables, or the row belongs to another tenant: check `grant`, `tenant` and `rowLevelSecurity`.",
  "28P01": "The server refused the password.",
  "28000": "The server refused the role.",
  "3D000": "There is no such database.",
  "25006": "The server accepts no writes: connect to the primary server.",
  "53100": "The disk of the server is full.",
  "53300": "The server has too many connections: use smaller pools, or a pooler.",
  "57014": "The server cancelled the statement, for example by `statement_timeout`.",
  "57P01": "The server is shutting down: try again.",
  "57P02": "The server has crashed: try again.",
  "57P03": "The server is starting: try again.",
  "26000": "A named prepared statement is missing: behind a pooler, use unnamed ones.",
  "42P05": "A named prepared statement exists already: behind a pooler, use unnamed ones.",
  ECONNREFUSED: "No server listens at this address.",
  ENOTFOUND: "The name of the host is unknown.",
}

const READING: ReadonlySet<string> = new Set(["find", "list", "readRange", "stat"])

/**
 * A StorageError for an error of a driver. It has the code and our own text only: texts of a driver may contain the connection string,
 * and texts of the server may contain stored data.
 */
export function toStorageError(error: unknown, key: string, operation: string): TreelogError {
  if (isTreelogError(error)) return error
  const errno = codeOf(error)
  const unanswered = READING.has(operation)
    ? "It did not answer"
    : "The outcome of a write is unknown: it may be stored"
  const advice = (errno !== undefined && ADVICE[errno]) || `${unanswered}. Try again.`
  const message = `PostgreSQL could not ${operation} ${key}${errno === undefined ? "" : ` (${errno})`}. ${advice}`
  return new TreelogError("StorageError", message, { key, operation, errno })
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" && /^[A-Z0-9_]{1,40}$/.test(code) ? code : undefined
}

/** @throws StorageError for what the work throws, unless that is a TreelogError */
export async function withStorageErrors<Result>(
  key: string,
  operation: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toStorageError(error, key, operation)
  }
}
