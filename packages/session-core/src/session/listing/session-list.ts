import type { SessionStorage } from "../../ports/session-storage.js"
import { type ScannedSession, scanSessions } from "./scan-sessions.js"
import type { SessionInfo } from "./session-info.js"

/** Which sessions are listed, and in which order. */
export interface ListOptions {
  /** The project of the folder, for storages that group sessions by project. `SessionManager` sets it (see `projectOf`). */
  readonly project?: string | undefined
  readonly signal?: AbortSignal
  /** Called after each scanned session. `total` counts the names found so far. */
  readonly onProgress?: (looked: number, total: number) => void
  /** Called with each scanned session, also with those of other folders in the same bucket. */
  readonly onScanned?: (session: { readonly key: string; readonly id: string | undefined }) => void
  /**
   * `"found"` (default): each as soon as it was scanned. `"newest"`: the newest first, of the same time by path, when all have been
   * scanned.
   */
  readonly order?: "found" | "newest"
  /** At most so many. */
  readonly limit?: number
}

/**
 * Scans every session of a storage. With a cache of summaries, only what changed is read. What cannot be read is listed with its
 * error, and never hides the rest (FORMAT.md, section 8).
 * @param cwd only sessions whose header names this folder, or that the storage groups by its project; what cannot be read is listed where its bucket is this folder's
 */
export async function* listSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  { project, signal, onProgress, onScanned, order = "found", limit }: ListOptions = {},
): AsyncGenerator<SessionInfo> {
  const inOrder: ScannedSession[] = []
  let [looked, listed] = [0, 0]
  try {
    for await (const { sessions, pending } of scanSessions(storage, { cwd, project, signal })) {
      let left = sessions.length + pending
      for (const session of sessions) {
        signal?.throwIfAborted()
        looked += 1
        left -= 1
        onProgress?.(looked, looked + left)
        onScanned?.({ key: session.found.key, id: session.found.id })
        // What cannot be read is listed for each folder, since its bucket is that folder's.
        const isOfProject = project !== undefined && session.found.project === project
        if (cwd !== undefined && !isOfProject && (session.summary.cwd ?? cwd) !== cwd) continue
        if (order === "newest") inOrder.push(session)
        else {
          yield infoOf(session)
          if (++listed === limit) return
        }
      }
    }
    for (const session of inOrder.sort(newestFirst).slice(0, limit)) {
      signal?.throwIfAborted()
      yield infoOf(session)
    }
  } finally {
    await storage.summaries?.flush()
  }
}

function infoOf({ found, summary }: ScannedSession): SessionInfo {
  return { path: found.key, ...summary.info }
}

/** Of the same time, by key. */
function newestFirst(a: ScannedSession, b: ScannedSession): number {
  return b.summary.modified - a.summary.modified || (a.found.key < b.found.key ? -1 : 1)
}

/**
 * The newest sessions, newest first, without those that cannot be read.
 * @param cwd undefined means everywhere
 */
export async function recentSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  limit: number,
  project?: string,
): Promise<SessionInfo[]> {
  const infos: SessionInfo[] = []
  if (limit < 1) return infos
  for await (const info of listSessions(storage, cwd, { project, order: "newest" })) {
    if (!info.error) infos.push(info)
    if (infos.length === limit) break
  }
  return infos
}
