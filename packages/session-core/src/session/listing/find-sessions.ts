import type { SessionStorage } from "../../ports/session-storage.js"
import type { ListFilter, StoredName } from "../../ports/stored-name.js"
import type { FoundSession } from "../../ports/summary-cache.js"
import { caughtError } from "./scanned-session.js"

/** So many are asked for at a time where there is no cache; the first ones sooner. */
const AT_ONCE = 64
const FIRST = 8

/** The sessions that a storage names, with their states, some at a time; with what its cache knows, if it has one. */
export function findSessions(storage: SessionStorage, filter: ListFilter): AsyncIterable<readonly FoundSession[]> {
  return storage.summaries?.scan(filter) ?? statEach(storage, filter)
}

/** The key of the first stored session whose name fits. No session is opened. */
export async function findKey(
  storage: SessionStorage,
  fits: (name: StoredName) => boolean,
): Promise<string | undefined> {
  for await (const name of storage.list()) if (fits(name)) return name.key
  return undefined
}

async function* statEach(storage: SessionStorage, filter: ListFilter): AsyncGenerator<FoundSession[]> {
  let stats: Promise<FoundSession | undefined>[] = []
  let most = FIRST
  for await (const name of storage.list(filter)) {
    stats.push(withStat(storage, name))
    if (stats.length < most) continue
    yield existing(await Promise.all(stats))
    stats = []
    most = Math.min(AT_ONCE, 2 * most)
  }
  yield existing(await Promise.all(stats))
}

function existing(found: readonly (FoundSession | undefined)[]): FoundSession[] {
  return found.filter((session) => session !== undefined)
}

async function withStat(storage: SessionStorage, name: StoredName): Promise<FoundSession | undefined> {
  if (name.error) return name
  try {
    const stat = await storage.stat(name.key)
    return stat && { ...name, stat }
  } catch (error) {
    return { ...name, error: caughtError(error) }
  }
}
