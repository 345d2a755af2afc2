import type { CommandContext } from "./command-context.js"
import type { Sessions } from "./compose.js"

/** What a session is believed to be when it goes. */
export interface Expected {
  /** Bytes. One of another size was written meanwhile, and stays. */
  readonly size?: number
}

/**
 * Moves a session to the trash, with its artifacts and what was kept of it. Resolves to its path there, from which
 * `sessions.storage.trash.restore` gives it back. An interrupted command waits for it.
 * @param key where the session is, as a list tells it
 * @throws SessionNotFoundError, SessionBusyError when someone writes it, SessionChangedError, StorageError
 */
export function moveToTrash(
  context: CommandContext,
  { storage }: Sessions,
  key: string,
  { size }: Expected = {},
): Promise<string> {
  return context.hold(storage.trash.put(key, { now: context.startedAt, size }))
}
