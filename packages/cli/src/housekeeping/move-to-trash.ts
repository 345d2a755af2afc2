import type { FileTrash } from "@treelog/storage-fs"
import type { CommandContext } from "../io/command-context.js"

/** The expected state of a session that is deleted. */
export interface Expected {
  /** Bytes. One of another size was written meanwhile, and stays. */
  readonly size?: number
}

/**
 * Moves a session to the trash, with its artifacts and what was kept of it. Resolves to its path there, from which
 * `trash.restore` gives it back. An interrupted command waits for it.
 * @param trash where many go, a `batch()`
 * @param key of the session, as listed
 * @throws SessionNotFoundError, SessionBusyError when someone writes it, SessionChangedError, StorageError
 */
export function moveToTrash(
  context: CommandContext,
  trash: FileTrash,
  key: string,
  { size }: Expected = {},
): Promise<string> {
  return context.hold(trash.put(key, { now: context.startedAt, size }))
}
