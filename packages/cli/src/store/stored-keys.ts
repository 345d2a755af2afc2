import { isNoSession } from "@treelog/session-core/adapter"
import { cleanLine, cleanText, plural, type Style } from "@treelog-internal/text"
import { faultOf, isBrokenPipe, stackOf } from "../errors/error-report.js"
import type { CommandContext } from "../io/command-context.js"
import { withoutPath } from "../render/result-lines.js"
import type { Sessions } from "./command-sessions.js"

/** Printed for a session that a command could not process. */
export interface Failure {
  readonly path: string
  readonly error: { readonly code: string; readonly message: string }
  /** Of a file among those of an agent that was never a session: an empty one, or another program's. */
  readonly isSession?: false
}

/** `path code message`: what could not be dealt with, as a row among the others. */
export function failureLine({ path, error }: Failure, { paint }: Style): string {
  return `${cleanLine(path)} ${paint("red", cleanLine(error.code))} ${cleanLine(withoutPath(error.message, path))}`
}

/** The failure as a row among the others: a line, or JSON. */
export async function printFailure(context: CommandContext, failure: Failure): Promise<void> {
  await context.report(failure, [failureLine(failure, context.style)])
}

/** @param agent whose files they are, if they are only read: in stores that treelog writes, a file that is no session is damage */
export function failureOf(path: string, error: unknown, agent?: string): Failure {
  return failureIn(path, faultOf(error), agent)
}

/** The failure of a session whose error a list has. */
export function failureIn(
  path: string,
  { code, message, data }: { readonly code: string; readonly message: string; readonly data?: object },
  agent?: string,
): Failure {
  const isOthers = agent !== undefined && isNoSession({ code, ...(data && { data }) })
  return { path, error: { code, message }, ...(isOthers && { isSession: false }) }
}

/** `1 file that is no session`; empty for none. */
export function othersText(count: number): string {
  return count > 0 ? plural(count, "file that is no session", "files that are no sessions") : ""
}

/**
 * The result of the work on one session, or its error, which does not stop the work on others. Only an
 * interrupt and a closed stdout end the command. With `--debug`, stderr has the stack of an unexpected error.
 */
export async function ofSession<Result>(
  context: CommandContext,
  path: string,
  work: () => Promise<Result>,
  agent?: string,
): Promise<Result | Failure> {
  try {
    return await work()
  } catch (error) {
    return caught(context, path, error, agent)
  }
}

/** The failure that an error which was caught means. */
export async function caught(
  { io, options }: CommandContext,
  path: string,
  error: unknown,
  agent?: string,
): Promise<Failure> {
  io.interrupted.throwIfAborted()
  if (isBrokenPipe(error)) throw error
  const failure = failureOf(path, error, agent)
  if (options.debug && error instanceof Error && failure.error.code === "InternalError")
    await io.stderr.write(`${cleanText(`${path}: ${stackOf(error)}`)}\n`)
  return failure
}

/** The key of every session of the store; for what cannot be read, the error, and for a store that cannot be listed, its own. */
export async function* storedKeys(
  { storage, agent, address }: Sessions,
  context: CommandContext,
): AsyncGenerator<{ key: string } | Failure> {
  const { interrupted: signal } = context.io
  try {
    for await (const { key, error } of storage.list({ signal })) {
      signal.throwIfAborted()
      yield error ? failureOf(key, error, agent) : { key }
    }
  } catch (error) {
    yield await caught(context, address, error)
  }
}
