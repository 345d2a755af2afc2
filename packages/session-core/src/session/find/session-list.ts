import { isTreelogError } from "../../errors.js"
import type { SessionStorage, StorageStat, StoredName } from "../../ports/session-storage.js"
import { readWholeLog } from "../stored/read-stored.js"
import { brokenInfo, type SessionInfo, summarize } from "./session-info.js"

export interface ListOptions {
  readonly signal?: AbortSignal
  /** Called after each session that was looked at. `total` counts the names found so far. */
  readonly onProgress?: (looked: number, total: number) => void
}

/** How many sessions are read at a time: enough to keep a disk busy, few enough to bound the memory. */
const AT_ONCE = 8

/**
 * Looks at every session of a storage, in the order of its names, a bounded number at a time. What cannot be read is
 * listed with its error, and never hides the rest (FORMAT.md, section 8).
 * @param cwd only sessions whose header names this folder; what cannot be read is listed where its bucket is this folder's
 */
export async function* listSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  options: ListOptions = {},
): AsyncGenerator<SessionInfo> {
  const { signal, onProgress } = options
  const waiting: Promise<SessionInfo | undefined>[] = []
  let [looked, total] = [0, 0]
  const next = async (): Promise<SessionInfo | undefined> => {
    const info = await waiting.shift()
    looked += 1
    onProgress?.(looked, total)
    return info && (cwd === undefined || info.error || info.cwd === cwd) ? info : undefined
  }
  for await (const name of storage.list({ cwd, signal })) {
    signal?.throwIfAborted()
    total += 1
    waiting.push(lookAt(storage, name))
    const info = waiting.length >= AT_ONCE ? await next() : undefined
    if (info) yield info
  }
  while (waiting.length > 0) {
    signal?.throwIfAborted()
    const info = await next()
    if (info) yield info
  }
}

/** Undefined when there is nothing any more. */
async function lookAt(storage: SessionStorage, { key, id, error }: StoredName): Promise<SessionInfo | undefined> {
  let stat: StorageStat | undefined
  try {
    if (error) return brokenInfo(key, id, error, stat)
    stat = await storage.stat(key)
    return stat && summarize(await readWholeLog(storage, key, stat), key, stat)
  } catch (cause) {
    if (isTreelogError(cause)) return brokenInfo(key, id, cause, stat)
    throw cause
  }
}

/** Newest first; of the same time, by path. */
export function byModified(a: SessionInfo, b: SessionInfo): number {
  return b.modified - a.modified || (a.path < b.path ? -1 : 1)
}
