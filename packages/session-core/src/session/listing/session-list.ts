import type { SessionStorage } from "../../ports/session-storage.js"
import { NewestFirst } from "./newest-first.js"
import { scanSessions } from "./scan-sessions.js"
import type { SessionInfo } from "./session-info.js"

/** Which sessions are listed, and in which order. */
export interface ListOptions {
  readonly signal?: AbortSignal
  /** Called after each scanned session. `total` counts the names found so far. */
  readonly onProgress?: (looked: number, total: number) => void
  /** Called with each scanned session, also with those of other folders in the same bucket. */
  readonly onScanned?: (session: { readonly key: string; readonly id: string | undefined }) => void
  /**
   * `"found"` (default): each as soon as it can be had. `"newest"`: the newest first, of the same time by path, when all have been
   * scanned; little more than their keys is held meanwhile.
   */
  readonly order?: "found" | "newest"
  /** At most so many. */
  readonly limit?: number
}

/**
 * Scans every session of a storage. With a cache of summaries, only what changed is read. What cannot be read is listed with its
 * error, and never hides the rest (FORMAT.md, section 8).
 * @param cwd only sessions whose header names this folder; what cannot be read is listed where its bucket is this folder's
 */
export async function* listSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  { signal, onProgress, onScanned, order = "found", limit }: ListOptions = {},
): AsyncGenerator<SessionInfo> {
  const newest = order === "newest" ? new NewestFirst(limit) : undefined
  let [looked, listed] = [0, 0]
  try {
    for await (const { sessions, pending } of scanSessions(storage, { cwd, signal })) {
      let left = sessions.length + pending
      for (const session of sessions) {
        signal?.throwIfAborted()
        looked += 1
        left -= 1
        onProgress?.(looked, looked + left)
        onScanned?.(session)
        if (!session.isOf(cwd)) continue
        if (newest) newest.add(session)
        else {
          yield session.info
          if (++listed === limit) return
        }
      }
    }
    if (!newest) return
    for await (const info of newest.inOrder(storage)) {
      signal?.throwIfAborted()
      yield info
    }
  } finally {
    await storage.summaries?.flush()
  }
}

/**
 * The newest sessions, newest first, without those that cannot be read.
 * @param cwd undefined means everywhere
 */
export async function recentSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  limit: number,
): Promise<SessionInfo[]> {
  if (limit < 1) return []
  const newest = new NewestFirst(limit)
  const infos: SessionInfo[] = []
  try {
    for await (const { sessions } of scanSessions(storage, { cwd }))
      for (const session of sessions) if (!session.isBroken && session.isOf(cwd)) newest.add(session)
    for await (const info of newest.inOrder(storage)) infos.push(info)
    return infos
  } finally {
    await storage.summaries?.flush()
  }
}
