import type { SessionEntry } from "../entry/entry.js"
import { isTreelogError } from "../errors.js"
import { fingerprint } from "../log/bytes.js"
import { parseLine } from "../log/parse-line.js"
import type { SessionStorage, StoredRanges } from "../ports/session-storage.js"
import { entryFacts, type PlacedFacts } from "./entry-facts.js"

/** What an index without texts keeps of an entry. */
export type KeptEntry = Pick<PlacedFacts, "id" | "offset" | "length" | "digest">

async function readFacts(source: OpenSession, key: string, entry: KeptEntry): Promise<PlacedFacts | undefined> {
  try {
    const { offset, length } = entry
    return factsIn(source.ranges?.read(offset, length) ?? (await source.storage.readRange(key, offset, length)), entry)
  } catch (error) {
    if (isTreelogError(error, "SessionNotFoundError") || isTreelogError(error, "SessionChangedError")) return undefined
    throw error
  }
}

function factsIn(bytes: Uint8Array, { id, offset, length, digest }: KeptEntry): PlacedFacts | undefined {
  if (fingerprint(bytes) !== digest) return undefined
  const { records } = parseLine({ number: 1, offset, bytes, end: offset + length, terminated: true })
  const [record] = records
  if (!record || records.length > 1) return undefined
  // An entry of version 1 got its id when it was read.
  return { ...entryFacts({ ...record.value, id } as unknown as SessionEntry), offset, length, digest }
}

/** With more, all sessions are closed. */
const MOST_OPEN = 64

/**
 * Reads entries of many sessions for one answer. Each session is opened once, where the storage can do that, and read without waiting:
 * a search takes half the time.
 */
export class FactsReader {
  readonly #storage: SessionStorage
  readonly #open = new Map<string, Promise<OpenSession>>()

  constructor(storage: SessionStorage) {
    this.#storage = storage
  }

  /**
   * Derives the facts of an entry once more from its session, so that an index without texts can show them. Undefined where the
   * session is gone, or something else stands there now: a stale index never shows a wrong text.
   * @param identity of the session when it was indexed
   * @throws StorageError
   */
  async read(key: string, identity: string, entry: KeptEntry): Promise<PlacedFacts | undefined> {
    return readFacts(await this.#opened(key, identity), key, entry)
  }

  /** Closes the sessions if many are open. Not to be called during a read. */
  async closeMany(): Promise<void> {
    if (this.#open.size > MOST_OPEN) await this.close()
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values())
    this.#open.clear()
    for (const one of opened) if (one.status === "fulfilled") one.value.ranges?.close()
  }

  #opened(key: string, identity: string): Promise<OpenSession> {
    const opening = this.#open.get(key) ?? this.#openSession(key, identity)
    this.#open.set(key, opening)
    return opening
  }

  async #openSession(key: string, identity: string): Promise<OpenSession> {
    try {
      const ranges = await this.#storage.openRanges?.(key, identity, "some")
      return { ranges, storage: this.#storage }
    } catch (error) {
      // It was replaced after it was indexed; the entry may stand there all the same.
      if (isTreelogError(error, "SessionChangedError")) return { ranges: undefined, storage: this.#storage }
      throw error
    }
  }
}

interface OpenSession {
  /** Undefined where it cannot be opened. */
  readonly ranges: StoredRanges | undefined
  readonly storage: SessionStorage
}
