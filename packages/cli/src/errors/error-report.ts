import { commandMessage } from "./command-message.js"

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
