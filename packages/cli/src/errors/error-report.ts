import { commandMessage } from "./command-message.js"

/** What is reported of any error. */
export interface Fault {
  readonly code: string
  readonly message: string
  readonly data: unknown
}

/** The message of an error that no code of ours stands for says that it was not expected. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { code: "InternalError", message: String(error), data: {} }
  const message = commandMessage(error)
  if ("code" in error && error.code === error.name) {
    return { code: error.name, message, data: "data" in error ? error.data : {} }
  }
  return { code: "InternalError", message: `${message || error.name} (unexpected; --debug shows more)`, data: {} }
}

export function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ""
  return `${error.stack ?? error.message}${cause}`
}

/** The reader of stdout is gone: nothing is left to do, and nothing is wrong. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}
