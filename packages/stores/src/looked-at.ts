import { isStat, nodeFs, statMany } from "@treelog-internal/fs"
import { type UnreadFiles, unreadFiles } from "./agent-stores.js"
import { type StorePlace, storePlaces, unreadPrograms } from "./find-stores.js"
import { Look } from "./look.js"
import type { Surroundings } from "./surroundings.js"

/** What was looked at for the sessions of one store. */
export interface LookedAt extends Pick<StorePlace, "store"> {
  /** Where sessions are, or else where they would be. An absolute path; empty where not even that is known. */
  readonly sessions: string
  /** Whether there is a store. */
  readonly isHere: boolean
  /** Why it cannot be looked at. */
  readonly error?: unknown
  /** What is there of its sessions and not read. */
  readonly unread: readonly UnreadFiles[]
}

/** Looks at each place where a program or an agent would have its sessions on this machine, without opening stores. */
export async function lookedAt(surroundings: Surroundings): Promise<LookedAt[]> {
  const looked: LookedAt[] = []
  const failed = (store: string, error: unknown, sessions = ""): void => {
    looked.push({ store, sessions, isHere: false, error, unread: [] })
  }
  // Outside of the folders of stores, what is not read is that of all stores of an agent.
  const named = new Set<string>()
  const look = new Look(surroundings)
  for (const { store, sessions, alsoSessions = [], agent } of await storePlaces(surroundings, failed, look))
    try {
      const all = [sessions, ...alsoSessions]
      const stats = await statMany(nodeFs, all)
      const unread = (agent ? await unreadFiles(surroundings, [agent], look, true) : []).filter(
        ({ path }) => !named.has(path),
      )
      for (const { path } of unread) named.add(path)
      const fault = stats.find((stat) => stat instanceof Error)
      const here = all.find((_, at) => isStat(stats[at]))
      looked.push({
        store,
        sessions: here ?? sessions,
        isHere: here !== undefined,
        ...(fault !== undefined && { error: fault }),
        unread,
      })
    } catch (error) {
      failed(store, error, sessions)
    }
  for (const one of await unreadPrograms(surroundings, failed))
    looked.push({ store: one.store, sessions: one.path, isHere: false, unread: [one] })
  return looked
}
