import { isTreelogError } from "../../errors.js"
import type { SessionStorage, StorageStat, StoredName } from "../../ports/session-storage.js"
import { inAnyOrder } from "./in-any-order.js"
import { Places } from "./places.js"
import { readSummary } from "./read-summary.js"
import { brokenInfo, type SessionInfo, sessionInfo } from "./session-info.js"
import { type SessionSummary, summaryIn } from "./session-summary.js"

export interface ListOptions {
  readonly signal?: AbortSignal
  /** Called after each session that was looked at. `total` counts the names found so far. */
  readonly onProgress?: (looked: number, total: number) => void
}

/** How many sessions are looked at at a time: enough that those which are known already pass by those that are read. */
const LOOKED_AT = 64
/** How many of them are read: enough to keep a disk busy, few enough to bound the memory. */
const READ = 8

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
  let [looked, total, complete] = [0, 0, true]
  async function* names(): AsyncGenerator<StoredName> {
    for await (const name of storage.list({ cwd, signal })) {
      signal?.throwIfAborted()
      total += 1
      if (name.error) complete = false
      yield name
    }
  }
  const look = new Look(storage)
  try {
    for await (const { info } of inAnyOrder(names(), LOOKED_AT, (name) => look.at(name))) {
      signal?.throwIfAborted()
      looked += 1
      onProgress?.(looked, total)
      if (info && (cwd === undefined || info.error || info.cwd === cwd)) yield info
    }
  } catch (error) {
    complete = false
    throw error
  } finally {
    await storage.summaries?.flush({ complete })
  }
}
