import type { SessionEntry } from "../entry/entry.js"
import { isTreelogError } from "../errors.js"
import { fingerprint } from "../log/bytes.js"
import { parseLine } from "../log/parse-line.js"
import type { SessionSource, StoredRanges } from "../ports/session-source.js"
import { entryFacts, type PlacedFacts } from "./entry-facts.js"
import { type BlobsOf, type CutFacts, markedCut, wholeFacts } from "./whole-texts.js"

/** What an index without texts keeps of an entry. */
export type KeptEntry = Pick<PlacedFacts, "id" | "offset" | "length" | "digest">

/** With more, all sessions are closed. */
const MOST_OPEN = 64
/** Entries with no more between them are read at once. Bytes. */
const GAP = 8 * 1024
/** At most so much is read at once, but for one long entry. Bytes. */
const BLOCK = 256 * 1024

/**
 * Reads entries of many sessions for one answer. Each session is opened once, where the storage can do that, and read without waiting.
 * Entries that stand close to each other are read at once.
 */
export class FactsReader {
  readonly #storage: SessionSource
  readonly #blobs: BlobsOf | undefined
  readonly #open = new Map<string, Promise<StoredRanges | undefined>>()
  readonly #block = new Uint8Array(BLOCK)

  /** @param blobs of the sessions, for texts that were moved there */
  constructor(storage: SessionSource, blobs?: BlobsOf) {
    this.#storage = storage
    this.#blobs = blobs
  }

  /**
   * Derives the facts of entries once more from their session, so that an index without texts can show them. Without those where the session is
   * gone, or something else stands there now: a stale index never shows a wrong text.
   * @param identity of the session when it was indexed
   * @throws StorageError
   */
  async read<Entry extends KeptEntry>(
    key: string,
    identity: string,
    entries: readonly Entry[],
  ): Promise<Map<Entry, PlacedFacts>> {
    const found = new Map<Entry, PlacedFacts>()
    try {
      const ranges = await this.#opened(key, identity)
      for (const span of spansOf(entries)) {
        const { from, to } = span
        const bytes =
          ranges?.read(from, to - from, this.#block) ?? (await this.#storage.readRange(key, from, to - from))
        for (const entry of span.entries) {
          const own = bytes.subarray(entry.offset - from, entry.offset - from + entry.length)
          const facts = factsIn(own, entry)
          if (facts !== undefined) found.set(entry, facts)
        }
      }
      // After the block was read: another one may be read into it meanwhile.
      for (const [entry, facts] of found)
        if ("cut" in facts) found.set(entry, await wholeFacts(facts, async () => this.#blobs?.(key)))
    } catch (error) {
      if (!REPLACED.some((code) => isTreelogError(error, code))) throw error
    }
    return found
  }

  /** Closes the sessions if many are open. Not to be called during a read. */
  async closeMany(): Promise<void> {
    if (this.#open.size > MOST_OPEN) await this.close()
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values())
    this.#open.clear()
    for (const one of opened) if (one.status === "fulfilled") one.value?.close()
  }

  /** Undefined where it cannot be opened. */
  #opened(key: string, identity: string): Promise<StoredRanges | undefined> {
    const opening = this.#open.get(key) ?? this.#openSession(key, identity)
    this.#open.set(key, opening)
    return opening
  }

  async #openSession(key: string, identity: string): Promise<StoredRanges | undefined> {
    try {
      return await this.#storage.openRanges?.(key, identity)
    } catch (error) {
      // It was replaced after it was indexed; the entry may stand there all the same.
      if (isTreelogError(error, "SessionChangedError")) return undefined
      throw error
    }
  }
}

/** The session is gone, or something else stands there now, which may be no session. */
const REPLACED = ["SessionNotFoundError", "SessionChangedError", "InvalidSessionError"] as const

/** Entries of a session that are read at once. */
interface Span<Entry> {
  readonly from: number
  to: number
  readonly entries: Entry[]
}

function spansOf<Entry extends KeptEntry>(entries: readonly Entry[]): Span<Entry>[] {
  const spans: Span<Entry>[] = []
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    const end = entry.offset + entry.length
    const last = spans.at(-1)
    if (last !== undefined && entry.offset <= last.to + GAP && end <= last.from + BLOCK) {
      last.to = Math.max(last.to, end)
      last.entries.push(entry)
    } else spans.push({ from: entry.offset, to: end, entries: [entry] })
  }
  return spans
}

function factsIn(bytes: Uint8Array, { id, offset, length, digest }: KeptEntry): PlacedFacts | CutFacts | undefined {
  if (fingerprint(bytes) !== digest) return undefined
  const { records } = parseLine({ number: 1, offset, bytes, end: offset + length, terminated: true })
  const [record] = records
  if (!record || records.length > 1) return undefined
  // An entry of version 1 got its id when it was read.
  const entry = { ...record.value, id } as unknown as SessionEntry
  return markedCut(entry, { ...entryFacts(entry), offset, length, digest })
}
