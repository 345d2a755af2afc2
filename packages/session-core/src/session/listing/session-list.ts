import type { ListFilter, SessionSource } from "../../ports/session-source.js"
import { assertFolder } from "../session-errors.js"
import { assertOneOf } from "../session-options.js"
import { isOfFolder, type ProjectOf } from "./is-of-folder.js"
import { newestFirst, newestSessions } from "./newest-sessions.js"
import { type ScannedSession, scanFound, scanLastWritten, scanSessions } from "./scan-sessions.js"
import { comparePreference, compareRecency, type SessionInfo } from "./session-info.js"

/** Which sessions are listed, and in which order. */
export interface ListOptions {
  /** Sessions of the project of the folder are listed too. `SessionManager` sets it. */
  readonly projectOf?: ProjectOf | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each scanned session. `total` counts the names found so far. */
  readonly onProgress?: ((scanned: number, total: number) => void) | undefined
  /**
   * Called with each session, also with those of other folders in the same bucket: all of them are scanned, in the order `"newest"` before
   * the first is listed. The id is that of the name, else the one that was read; empty of what cannot be read.
   */
  readonly onScanned?: (session: { readonly key: string; readonly id: string }) => void
  /** Called with each session that cannot be read and is to be listed: in the order `"newest"`, before the first is listed. */
  readonly onUnreadable?: (key: string) => void
  /**
   * `"found"` (default): each as soon as it was scanned. `"newest"`: the newest first, of the same time by path, when all have been
   * scanned. `"streamed"`: the newest first, each as soon as nothing that is still to be scanned was written later; one whose messages are
   * newer than its file comes when it was scanned.
   */
  readonly order?: "found" | "newest" | "streamed" | undefined
  /** At most so many. If not in the order found, a storage with an index of summaries need not go through all sessions. */
  readonly limit?: number | undefined
}

/**
 * Scans every session of a storage. With a cache of summaries, only what changed is read. What cannot be read is listed with its
 * error, and never hides the rest (FORMAT.md, section 8).
 * @param cwd only sessions whose header names this folder, or that belong to its project; what cannot be read is listed where its bucket is this folder's
 */
export async function* listSessions(
  storage: SessionSource,
  cwd: string | undefined,
  { projectOf, signal, onProgress, onScanned, onUnreadable, order = "found", limit }: ListOptions = {},
): AsyncGenerator<SessionInfo> {
  const filter = filterOf(cwd, projectOf, signal)
  if (limit !== undefined && !(limit >= 1)) return
  assertOneOf("order", order, ["found", "newest", "streamed"])
  const isListed = listedIn(cwd, projectOf)
  let unreadableHere: ReadonlySet<string> | undefined
  let [scanned, listed] = [0, 0]
  const see = ({ found: { key, id }, summary }: ScannedSession, left: number) => {
    scanned += 1
    onProgress?.(scanned, scanned + left)
    onScanned?.({ key, id: id ?? summary.info.id })
  }
  try {
    // A caller that is to see each session needs a scan of all.
    const wanted = order !== "found" && !onScanned && !onUnreadable ? limit : undefined
    const newest = wanted && (await newestSessions(storage, filter, wanted, isListed, compareRecency, see))
    const inOrder: ScannedSession[] = []
    let newestHeld = Number.NEGATIVE_INFINITY
    const scan = order === "streamed" ? scanLastWritten(storage, filter) : scanSessions(storage, filter)
    for await (const { sessions, pending, latest } of newest ? [] : scan) {
      let left = sessions.length + pending
      for (const session of sessions) {
        signal?.throwIfAborted()
        left -= 1
        see(session, left)
        if (!isListed(session)) continue
        if (session.summary.cwd === undefined) {
          if (filter.project !== undefined) {
            unreadableHere ??= await keysOf(storage, { ...filter, project: undefined })
            if (session.found.project !== filter.project && !isUnreadableHere(unreadableHere, session.found.key))
              continue
          }
          onUnreadable?.(session.found.key)
        }
        if (order !== "found") {
          inOrder.push(session)
          newestHeld = Math.max(newestHeld, timeInOrder(session))
        } else {
          yield infoOf(session)
          if (++listed === limit) return
        }
      }
      if (order !== "streamed" || newestHeld <= latest) continue
      for (const session of takeWritten(inOrder, latest)) {
        yield infoOf(session)
        if (++listed === limit) return
      }
      newestHeld = timeInOrder(inOrder[0])
    }
    // Not `yield*`, which waits for a promise more for each of thousands.
    for (const session of newest || inOrder.sort(newestFirst).slice(0, limit)) {
      signal?.throwIfAborted()
      yield infoOf(session)
    }
  } finally {
    await storage.summaries?.flush()
  }
}

/** Takes out the newest, which nothing comes before that was written up to then. */
function takeWritten(held: ScannedSession[], latest: number): ScannedSession[] {
  const end = held.sort(newestFirst).findIndex((session) => timeInOrder(session) <= latest)
  return held.splice(0, end < 0 ? held.length : end)
}

/** By which a session is listed; of one without a message, which comes after all others, the earliest of all. */
function timeInOrder(session: ScannedSession | undefined): number {
  return !session || session.summary.kind === "empty" ? Number.NEGATIVE_INFINITY : session.summary.modified
}

function filterOf(cwd: string | undefined, projectOf: ProjectOf = () => undefined, signal?: AbortSignal): ListFilter {
  if (cwd === undefined) return { signal }
  assertFolder(cwd)
  return { cwd, project: projectOf(cwd), isOfFolder: (other) => isOfFolder({ cwd: other }, cwd, projectOf), signal }
}

/** What cannot be read is listed for each folder, since its bucket is that folder's. */
function listedIn(cwd: string | undefined, projectOf: ProjectOf | undefined): (session: ScannedSession) => boolean {
  return ({ found: { project }, summary }) => {
    if (cwd === undefined || summary.cwd === undefined) return true
    const session = {
      cwd: summary.cwd,
      project,
      get repository() {
        return summary.info.repository
      },
    }
    return isOfFolder(session, cwd, projectOf)
  }
}

/** Whether it is one of them, or the folder of one: what cannot be listed may hold sessions of every folder. */
function isUnreadableHere(keys: ReadonlySet<string>, key: string): boolean {
  return keys.has(key) || [...keys].some((one) => one.startsWith(key) && /[/\\]/.test(one[key.length] ?? ""))
}

async function keysOf(storage: SessionSource, filter: ListFilter): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for await (const { key } of storage.list(filter)) keys.add(key)
  return keys
}

function infoOf({ found, summary }: ScannedSession): SessionInfo {
  return { path: found.key, ...summary.info }
}

/** What a list says of one session; undefined where nothing is stored under the key. */
export async function listedSession(storage: SessionSource, key: string): Promise<SessionInfo | undefined> {
  const found = storage.summaries ? await storage.summaries.find(key) : { key }
  for await (const { sessions } of scanFound(storage, found ? [[found]] : []))
    for (const session of sessions) return infoOf(session)
  return undefined
}

/**
 * The newest sessions, newest first, without those that cannot be read. Those that a person had come before others.
 * @param cwd undefined means everywhere
 */
export async function recentSessions(
  storage: SessionSource,
  cwd: string | undefined,
  limit: number,
  projectOf?: ProjectOf,
): Promise<SessionInfo[]> {
  if (limit < 1) return []
  const filter = filterOf(cwd, projectOf)
  const isListed = listedIn(cwd, projectOf)
  try {
    const isWanted = (session: ScannedSession) => isListed(session) && !session.summary.info.error
    const newest = await newestSessions(storage, filter, limit, isWanted, comparePreference)
    if (newest) return newest.map(infoOf)
  } finally {
    await storage.summaries?.flush()
  }
  const infos: SessionInfo[] = []
  let personal = 0
  for await (const info of listSessions(storage, cwd, { projectOf, order: "newest" })) {
    if (info.error) continue
    infos.push(info)
    if (info.kind === undefined) personal++
    if (personal === limit) break
  }
  return infos.sort(comparePreference).slice(0, limit)
}
