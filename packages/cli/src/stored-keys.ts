import type { CommandContext } from "./command-context.js"
import type { Sessions } from "./compose.js"

/** What stands in the place of a session that a command could not deal with. */
export interface Failure {
  readonly path: string
  readonly error: { readonly code: string; readonly message: string }
}

export function failureOf(path: string, { name: code, message }: Error): Failure {
  return { path, error: { code, message } }
}

/** The key of every session of the store; of what cannot even be looked into, why. */
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
