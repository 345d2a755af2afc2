import { cleanLine, cleanText, type Style } from "@treelog-internal/text"
import { faultOf, isBrokenPipe, stackOf } from "../errors/error-report.js"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "./command-sessions.js"

/** Printed for a session that a command could not process. */
export interface Failure {
  readonly path: string
  readonly error: { readonly code: string; readonly message: string }
}

/** `path code message`: what could not be dealt with, as a row among the others. */
export function failureLine({ path, error }: Failure, { paint }: Style): string {
  return `${cleanLine(path)} ${paint("red", cleanLine(error.code))} ${cleanLine(withoutPath(error.message, path))}`
}

/** A message beside the path that it is about: `The database is locked`, `the file is no session`. */
export function withoutPath(message: string, path: string): string {
  return message
    .split(path)
    .reduce(
      (before, after) => before.trimEnd() + (/\bthe \w+ $/i.test(before) ? "" : `${before && " "}the file`) + after,
    )
}

/** The failure as a row among the others: a line, or JSON. */
export async function printFailure(context: CommandContext, failure: Failure): Promise<void> {
  await context.report(failure, [failureLine(failure, context.style)])
}

export function failureOf(path: string, error: unknown): Failure {
  const { code, message } = faultOf(error)
  return { path, error: { code, message } }
}

/**
 * The result of the work on one session, or its error, which does not stop the work on others. Only an
 * interrupt and a closed stdout end the command. With `--debug`, stderr has the stack of an unexpected error.
 */
export async function ofSession<Result>(
  context: CommandContext,
  path: string,
  work: () => Promise<Result>,
): Promise<Result | Failure> {
  try {
    return await work()
  } catch (error) {
    return caught(context, path, error)
  }
}

/** The same for an error that was caught already. */
export async function caught({ io, options }: CommandContext, path: string, error: unknown): Promise<Failure> {
  io.interrupted.throwIfAborted()
  if (isBrokenPipe(error)) throw error
  const failure = failureOf(path, error)
  if (options.debug && error instanceof Error && failure.error.code === "InternalError")
    await io.stderr.write(`${cleanText(`${path}: ${stackOf(error)}`)}\n`)
  return failure
}

/** The key of every session of the store; for what cannot be read, the error. */
export async function* storedKeys(
  { storage }: Sessions,
  { io }: CommandContext,
): AsyncGenerator<{ key: string } | Failure> {
  const { interrupted: signal } = io
  for await (const { key, error } of storage.list({ signal })) {
    signal.throwIfAborted()
    yield error ? failureOf(key, error) : { key }
  }
}
