import { MemorySessionStorage, type SessionInfo } from "@treelog/session-core"
import { sumsOf } from "@treelog/session-core/search"
import type { ServedSessions } from "@treelog/viewer"

/** So many sessions of one store, none of which can be opened. Half of them are of the day of `now`. */
export function manySessions(count: number, now: number): ServedSessions {
  const source = {
    name: "many",
    madeBy: "many",
    storage: new MemorySessionStorage(),
  }
  const served: ServedSessions = {
    sources: [source],
    only: () => served,
    async *list(_, { limit = count }) {
      for (let number = 0; number < Math.min(count, limit); number++)
        yield { ...sessionInfo(number, now - number * 60_000), source, copies: [] }
    },
    search: async () => ({ sessions: [], isMore: false }),
    usage: async () => sumsOf([]),
    update: async () => {},
  }
  return served
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
