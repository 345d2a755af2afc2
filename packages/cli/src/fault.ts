import { commandMessage } from "./command-message.js"

/** What can be told of any error. */
export interface Fault {
  readonly code: string
  readonly message: string
  readonly data: unknown
}

/** An error that is neither ours nor foreseen is a fault of the program: its message says so. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { code: "InternalError", message: String(error), data: {} }
  const message = commandMessage(error)
  if ("code" in error && error.code === error.name) {
    return { code: error.name, message, data: "data" in error ? error.data : {} }
  }
  return { code: "InternalError", message: `${message || error.name} (unexpected; --debug tells more)`, data: {} }
}

export function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ""
  return `${error.stack ?? error.message}${cause}`
}

/** Nobody reads any more what we print: there is nothing left to do, and nothing wrong. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE"
}
