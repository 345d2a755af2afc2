import type { SessionStorage } from "../../ports/session-storage.js"
import type { ListFilter, StoredName } from "../../ports/stored-name.js"
import type { FoundSession } from "../../ports/summary-cache.js"
import { caughtError } from "./scanned-session.js"

/** So many are asked for at a time where there is no cache; the first ones sooner. */
const AT_ONCE = 64
const FIRST = 8

/** Everything that a storage names, looked at, some at a time; with what its cache knows, where it has one. */
export function findSessions(storage: SessionStorage, filter: ListFilter): AsyncIterable<readonly FoundSession[]> {
  return storage.summaries?.scan(filter) ?? statEach(storage, filter)
}

/** Undefined when nothing is stored under the key. */
export async function findSession(storage: SessionStorage, key: string): Promise<FoundSession | undefined> {
  return storage.summaries ? storage.summaries.find(key) : lookedAt(storage, { key })
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
  let names: StoredName[] = []
  let most = FIRST
  for await (const name of storage.list(filter)) {
    names.push(name)
    if (names.length < most) continue
    yield await eachOf(storage, names)
    names = []
    most = Math.min(AT_ONCE, 2 * most)
  }
  if (names.length > 0) yield await eachOf(storage, names)
}

async function eachOf(storage: SessionStorage, names: readonly StoredName[]): Promise<FoundSession[]> {
  const found = await Promise.all(names.map((name) => lookedAt(storage, name)))
  return found.filter((session) => session !== undefined)
}

async function lookedAt(storage: SessionStorage, name: StoredName): Promise<FoundSession | undefined> {
  if (name.error) return name
  try {
    const stat = await storage.stat(name.key)
    return stat && { ...name, stat }
  } catch (error) {
    return { ...name, error: caughtError(error) }
  }
}
