import type { SessionEntry } from "../entry/entry.js"
import { isTreelogError } from "../errors.js"
import { fingerprint } from "../log/bytes.js"
import { parseLine } from "../log/parse-line.js"
import type { SessionStorage } from "../ports/session-storage.js"
import { entryFacts, type PlacedFacts } from "./entry-facts.js"

/** What an index without texts keeps of an entry. */
export type KeptEntry = Pick<PlacedFacts, "id" | "offset" | "length" | "digest">

/**
 * Derives the facts of an entry once more from its session, so that an index without texts can show them. Undefined where the session
 * is gone, or something else stands there now: a stale index never shows a wrong text.
 * @throws StorageError
 */
export async function readFacts(
  storage: Pick<SessionStorage, "readRange">,
  key: string,
  { id, offset, length, digest }: KeptEntry,
): Promise<PlacedFacts | undefined> {
  try {
    const bytes = await storage.readRange(key, offset, length)
    if (fingerprint(bytes) !== digest) return undefined
    const { records } = parseLine({ number: 1, offset, bytes, end: offset + length, terminated: true })
    const [record] = records
    if (!record || records.length > 1) return undefined
    // An entry of version 1 got its id when it was read.
    return { ...entryFacts({ ...record.value, id } as unknown as SessionEntry), offset, length, digest }
  } catch (error) {
    if (isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")) return undefined
    throw error
  }
}
