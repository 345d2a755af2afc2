import { isTreelogError, type SessionManager } from "@treelog/session-core"
import type { PartEntries } from "@treelog/session-core/search"

/**
 * The parts of a session that it does not count itself.
 * @param onUnreadable gets why a file among them cannot be read, with its path
 */
export async function partEntries(
  manager: SessionManager,
  path: string,
  onUnreadable: (reason: string) => Promise<void>,
): Promise<PartEntries[]> {
  const found: PartEntries[] = []
  for await (const { key, part, error } of manager.storage.parts?.(path) ?? []) {
    try {
      if (error) throw error
      const session = await manager.open(key, { access: "read" })
      const { countedIn } = session.getHeader()
      if (part && countedIn === undefined) found.push({ ...part, entries: session.getEntries() })
      await session.close()
    } catch (fault) {
      if (!isTreelogError(fault)) throw fault
      await onUnreadable(fault.message)
    }
  }
  return found
}
