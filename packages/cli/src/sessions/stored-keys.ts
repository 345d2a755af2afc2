import { commandMessage } from "../errors/command-message.js"
import type { CommandContext } from "../io/command-context.js"
import type { Sessions } from "./compose-sessions.js"

/** Printed for a session that a command could not process. */
export interface Failure {
  readonly path: string
  readonly error: { readonly code: string; readonly message: string }
}

export function failureOf(path: string, error: Error): Failure {
  return { path, error: { code: error.name, message: commandMessage(error) } }
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
