import { type ContextOptions, contextOf, type SessionContext } from "../../context/build-context.js"
import { pathOfEntries } from "../../context/entry-path.js"
import type { EntryHead, SessionEntry, SessionHeader } from "../../entry/entry.js"
import { TreelogError } from "../../errors.js"
import { type LogIndex, LogIndexer } from "../../log/log-index.js"
import type { EntryTree } from "../../tree/entry-tree.js"
import type { Labels } from "../../tree/labels.js"
import { indexedState } from "../load-state.js"
import { lacksParents, parsed } from "../reader/load-stored.js"
import { readContextFromEnd } from "../reader/read-context.js"
import { readWholeLog, storedChunks } from "../reader/read-stored.js"
import { StoredBodies } from "../reader/stored-bodies.js"
import { EAGERLY_READ, type SessionState } from "../session-state.js"
import { AwaitedRanges, whenRead } from "./awaited-ranges.js"
import type { BlobStorage } from "./blob-storage.js"

/** What a session is made of, without what its entries hold. */
export interface SessionOutline {
  /** Of the current version; as it is stored, apart from that. */
  readonly header: SessionHeader
  /** In the order of the file. */
  readonly heads: readonly EntryHead[]
  /** Its ordinals count `heads`. */
  readonly tree: EntryTree
  readonly labels: Labels
  /** Where the session stands (FORMAT.md, section 5). */
  readonly leafId: string | null
  /** The name that entries gave it: undefined when none ever did, empty when it was cleared. */
  readonly name: string | undefined
}

/**
 * A session in a `File`, say, that is only read, and never as a whole: a context is read from its end, and an entry where it stands.
 * What needs to know all entries reads the bytes through once, and keeps their heads and places.
 */
export class SessionReader {
  readonly #storage: BlobStorage
  #content: Promise<SourceContent> | undefined

  /** @internal `readSession` makes them. */
  constructor(storage: BlobStorage) {
    this.#storage = storage
  }

  /**
   * What the model would get (FORMAT.md, section 6). References to blobs stay as they are, like with `buildSessionContext`.
   * @throws InvalidSessionError, EntryNotFoundError, StorageError
   */
  async readContext({ leafId, ...options }: ContextOptions & { leafId?: string | null } = {}): Promise<SessionContext> {
    if (leafId === null) return contextOf(pathOfEntries([]), options)
    const context = await readContextFromEnd(this.#storage, this.#storage.key, { ...options, leafId })
    return context ?? this.#contextOfPath(leafId, options)
  }

  /** The heads of all entries, and their tree. @throws InvalidSessionError, StorageError */
  async readOutline(): Promise<SessionOutline> {
    const { header, state } = await this.#load()
    const heads = Array.from({ length: state.size }, (_, ordinal) => state.headAt(ordinal) as EntryHead)
    return { header, heads, tree: state.tree, labels: state.labels, leafId: state.leafId, name: state.name }
  }

  /**
   * The entries with these ids, in this order. None of them is kept.
   * @throws InvalidSessionError, EntryNotFoundError, StorageError
   */
  async readEntries(ids: readonly string[]): Promise<SessionEntry[]> {
    const { state } = await this.#load()
    const entries: SessionEntry[] = []
    for (const id of ids) {
      const entry = await whenRead(() => state.readEntryAt(ordinalIn(state, id)))
      if (entry) entries.push(entry)
    }
    return entries
  }

  /** All entries in the order of the file, one by one. */
  async *iterateEntries(): AsyncGenerator<SessionEntry> {
    const { state } = await this.#load()
    for (let ordinal = 0; ordinal < state.size; ordinal++) {
      const entry = await whenRead(() => state.readEntryAt(ordinal))
      if (entry) yield entry
    }
  }

  async #contextOfPath(leafId: string | undefined, options: ContextOptions): Promise<SessionContext> {
    const { state } = await this.#load()
    if (leafId !== undefined) ordinalIn(state, leafId)
    return whenRead(() => contextOf(state.entryPath(leafId ?? state.leafId), options))
  }

  async #load(): Promise<SourceContent> {
    this.#content ??= loadSource(this.#storage)
    try {
      return await this.#content
    } catch (error) {
      // It may be given again.
      this.#content = undefined
      throw error
    }
  }
}

function ordinalIn({ tree }: SessionState, id: string): number {
  const ordinal = tree.ordinalOf(id)
  if (ordinal !== undefined) return ordinal
  throw new TreelogError("EntryNotFoundError", `No entry of this session has the id ${id}.`, { id })
}

interface SourceContent {
  readonly header: SessionHeader
  readonly state: SessionState
}

/**
 * Reads a session through once. Of one of the current version, heads and places stay; one of another version is parsed.
 * @param isCareful parses every line
 * @throws InvalidSessionError, StorageError
 */
async function loadSource(storage: BlobStorage, isCareful = false): Promise<SourceContent> {
  const index = await indexOf(storage, isCareful)
  if (!index) return parsed(await readWholeLog(storage, storage.key, storage.known)).content
  const ranges = new AwaitedRanges(storage)
  for (const [at, item] of index.items.entries()) {
    if (!("head" in item)) continue
    const isNeeded = EAGERLY_READ.has(item.head.type) || item.head.type === "leaf" || at === index.items.length - 1
    if (isNeeded) await ranges.keep(item.place.offset, item.place.length)
  }
  const state = await whenRead(() => indexedState(index, new StoredBodies(ranges, storage.key)))
  if (!isCareful && lacksParents(state)) return loadSource(storage, true)
  ranges.settle()
  return { header: index.header, state }
}

/** Undefined when the session is of another version. */
async function indexOf(storage: BlobStorage, isCareful: boolean): Promise<LogIndex | undefined> {
  const { key, known } = storage
  const indexer = new LogIndexer(key, isCareful)
  for await (const chunk of storedChunks(storage, key, { from: 0, to: known.size, identity: known.identity }))
    if (!indexer.push(chunk)) return undefined
  return indexer.finish()
}
