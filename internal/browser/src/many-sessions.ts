import { MemorySessionStorage, type SessionInfo, SessionManager } from "@treelog/session-core"
import type { ServedStore } from "@treelog/viewer"

/** A store that lists so many sessions, none of which can be opened. Half of them are of the day of `now`. */
export function manySessions(count: number, now: number): ServedStore {
  const sessions = new SessionManager({ storage: new MemorySessionStorage() })
  sessions.listAll = async function* ({ limit = count } = {}) {
    for (let number = 0; number < Math.min(count, limit); number++) yield sessionInfo(number, now - number * 60_000)
  }
  return { name: "many", sessions }
}

function sessionInfo(number: number, modified: number): SessionInfo {
  return {
    path: `memory:/home/ada/project-${number % 500}/${number}`,
    id: `session-${number}`,
    cwd: `/home/ada/project-${number % 500}`,
    created: modified,
    modified,
    messageCount: number % 90,
    firstMessage: `Question ${number}: why is the build red, and what has changed since yesterday?`,
    size: 1_000 + number,
    status: "complete",
  } as SessionInfo
}
