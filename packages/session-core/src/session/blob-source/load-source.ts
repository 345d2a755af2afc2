import type { SessionHeader } from "../../entry/entry.js"
import { indexedState } from "../load-state.js"
import { indexBlocks, lacksParents, parsed } from "../reader/load-stored.js"
import { readWholeLog } from "../reader/read-stored.js"
import { StoredBodies } from "../reader/stored-bodies.js"
import { type SessionState, TELLING } from "../session-state.js"
import { AwaitedRanges, whenRead } from "./awaited-ranges.js"
import type { BlobStorage } from "./blob-storage.js"

export interface SourceContent {
  readonly header: SessionHeader
  readonly state: SessionState
}

/**
 * Reads a session through once. Of one of the current version, heads and places stay; one of another version is parsed.
 * @param isCareful parses every line, to see what is wrong with it
 * @throws InvalidSessionError, StorageError
 */
export async function loadSource(storage: BlobStorage, isCareful = false): Promise<SourceContent> {
  const source = { storage, key: storage.key, stat: storage.known, ranges: undefined }
  const index = await indexBlocks(source, isCareful)
  if (!index) return parsed(await readWholeLog(storage, storage.key, storage.known)).content
  const ranges = new AwaitedRanges(storage)
  for (const [at, item] of index.items.entries()) {
    if (!("head" in item)) continue
    const isAsked = TELLING.has(item.head.type) || item.head.type === "leaf" || at === index.items.length - 1
    if (isAsked) await ranges.keep(item.place.offset, item.place.length)
  }
  const state = await whenRead(() => indexedState(index, new StoredBodies(ranges, storage.key)))
  if (!isCareful && lacksParents(state)) return loadSource(storage, true)
  ranges.settle()
  return { header: index.header, state }
}
