import type { SessionStorage } from "../../ports/session-storage.js"
import type { ListFilter, StoredName } from "../../ports/stored-name.js"
import type { FoundSession } from "../../ports/summary-cache.js"

/** The sessions that a storage lists, some at a time; with what its cache knows of them, where it has one. */
export async function* findSessions(
  storage: SessionStorage,
  filter: ListFilter,
): AsyncGenerator<readonly FoundSession[]> {
  if (storage.summaries) yield* storage.summaries.scan(filter)
  else for await (const name of storage.list(filter)) yield [name]
}

/** The key of the first stored session whose name fits. No session is opened. */
export async function findKey(
  storage: SessionStorage,
  fits: (name: StoredName) => boolean,
): Promise<string | undefined> {
  for await (const name of storage.list()) if (fits(name)) return name.key
  return undefined
}
