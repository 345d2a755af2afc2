import type { SessionStorage } from "../../ports/session-storage.js"
import type { SessionInfo } from "./session-info.js"
import { byModified, listSessions } from "./session-list.js"

/** So many are held before they are sorted out. */
const AT_LEAST = 64

/**
 * The newest sessions, newest first, without those that cannot be read. All that there are have to be looked at, since only their
 * messages tell how new they are; about twice as many as asked for are held.
 * @param cwd undefined means everywhere
 */
export async function recentSessions(
  storage: SessionStorage,
  cwd: string | undefined,
  limit: number,
): Promise<{ sessions: SessionInfo[]; count: number }> {
  let sessions: SessionInfo[] = []
  let count = 0
  const cut = (): void => {
    sessions = sessions.sort(byModified).slice(0, limit)
  }
  for await (const info of listSessions(storage, cwd)) {
    if (info.error) continue
    count += 1
    sessions.push(info)
    if (sessions.length > 2 * limit + AT_LEAST) cut()
  }
  cut()
  return { sessions, count }
}
