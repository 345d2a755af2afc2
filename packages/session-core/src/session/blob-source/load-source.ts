import type { SessionHeader } from "../../entry/entry.js"
import { type LogIndex, LogIndexer } from "../../log/log-index.js"
import { indexedState } from "../load-state.js"
import { lacksParents, parsed } from "../reader/load-stored.js"
import { readWholeLog, storedChunks } from "../reader/read-stored.js"
import { StoredBodies } from "../reader/stored-bodies.js"
import { EAGERLY_READ, type SessionState } from "../session-state.js"
import { AwaitedRanges, whenRead } from "./awaited-ranges.js"
import type { BlobStorage } from "./blob-storage.js"

export interface SourceContent {
  readonly header: SessionHeader
  readonly state: SessionState
}

/**
 * Reads a session through once. Of one of the current version, heads and places stay; one of another version is parsed.
 * @param isCareful parses every line
 * @throws InvalidSessionError, StorageError
 */
export async function loadSource(storage: BlobStorage, isCareful = false): Promise<SourceContent> {
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
