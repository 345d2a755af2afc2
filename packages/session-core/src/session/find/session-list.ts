import { isTreelogError } from "../../errors.js"
import type { SessionStorage, StoredName } from "../../ports/session-storage.js"
import type { StorageStat } from "../../ports/storage-stat.js"
import { inAnyOrder } from "./in-any-order.js"
import { Pool } from "./pool.js"
import { readSummary } from "./read-summary.js"
import { brokenInfo, type SessionInfo, sessionInfo } from "./session-info.js"
import { type SessionSummary, summaryIn, type ToldError } from "./session-summary.js"

export interface ListOptions {
  readonly signal?: AbortSignal
  /** Called after each session that was looked at. `total` counts the names found so far. */
  readonly onProgress?: (looked: number, total: number) => void
}

/** How many sessions are looked at at a time: enough that those which are known already pass by those that are read. */
const LOOKED_AT = 64
/** How many of them are read: enough to keep a disk busy, few enough to bound the memory. */
const READ = 8
/** Bytes. */
const BLOCK = 512 * 1024

/** How often a session is looked at again that was replaced or cut while it was read. */
const ATTEMPTS = 3

/**
 * Looks at every session of a storage, as fast as each can be had, a bounded number at a time. With a cache of summaries, only
 * what changed is read. What cannot be read is listed with its error, and never hides the rest (FORMAT.md, section 8).
 * @param cwd only sessions whose header names this folder; what cannot be read is listed where its bucket is this folder's
 */
export async function* listSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  { signal, onProgress }: ListOptions = {},
): AsyncGenerator<SessionInfo> {
  let [looked, total, isWhole] = [0, 0, true]
  const lookAt = lookingAt(storage)
  const look = (name: StoredName): Promise<Looked> => {
    total += 1
    if (name.error) isWhole = false
    return lookAt(name)
  }
  let complete = false
  try {
    for await (const { info } of inAnyOrder(storage.list({ cwd, signal }), LOOKED_AT, look)) {
      signal?.throwIfAborted()
      looked += 1
      onProgress?.(looked, total)
      if (info && (cwd === undefined || info.error || info.cwd === cwd)) yield info
    }
    complete = isWhole
  } finally {
    await storage.summaries?.flush({ complete })
  }
}

/** `info` is undefined when there is nothing any more. */
type Looked = { readonly info: SessionInfo | undefined }

function lookingAt(storage: SessionStorage): (name: StoredName) => Promise<Looked> {
  const blocks = new Pool<Uint8Array>(READ, () => new Uint8Array(BLOCK))
  const look = async (name: StoredName, attempt: number): Promise<Looked> => {
    const { key, id } = name
    let stat: StorageStat | undefined
    try {
      if (name.error) return { info: brokenInfo(key, id, told(name.error), stat) }
      stat = await storage.stat(key)
      if (!stat) return { info: undefined }
      const cached = await storage.summaries?.get(key, stat)
      const former = summaryIn(cached)
      const summary = former && cached?.isCurrent ? former : await read(key, stat, former)
      return { info: sessionInfo(summary, key, id, stat) }
    } catch (cause) {
      if (!isTreelogError(cause)) throw cause
      if (cause.code === "SessionChangedError" && attempt < ATTEMPTS) return look(name, attempt + 1)
      return { info: brokenInfo(key, id, told(cause), stat) }
    }
  }
  /** As much as was not read before. */
  const read = async (key: string, stat: StorageStat, former: SessionSummary | undefined): Promise<SessionSummary> => {
    const summary = await blocks.with((block) => readSummary({ storage, key, stat, block }, former))
    storage.summaries?.put(key, stat, summary)
    return summary
  }
  return (name) => look(name, 1)
}

function told(error: Error): ToldError {
  return { code: isTreelogError(error) ? error.code : "StorageError", message: error.message }
}

/** Newest first; of the same time, by path. */
export function byModified(a: SessionInfo, b: SessionInfo): number {
  return b.modified - a.modified || (a.path < b.path ? -1 : 1)
}
