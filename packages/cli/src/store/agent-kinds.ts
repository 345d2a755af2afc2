import { isTreelogError, type SessionInfo } from "@treelog/session-core"
import type { AgentStorage } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"

type Kinds = Awaited<ReturnType<AgentStorage["kindsOf"]>>

/** What conversions do not take of these sessions. One that cannot be converted is named by whoever lists it. */
export async function kindsIn(storage: AgentStorage, sessions: Iterable<Pick<SessionInfo, "path">>): Promise<Kinds> {
  const [unknown, uncounted] = [new Set<string>(), new Set<string>()]
  for (const { path } of sessions)
    try {
      const { unknownKinds, uncountedKinds } = await storage.kindsOf(path)
      for (const kind of unknownKinds) unknown.add(kind)
      for (const kind of uncountedKinds) uncounted.add(kind)
    } catch (error) {
      if (!isTreelogError(error)) throw error
    }
  return { unknownKinds: [...unknown].sort(), uncountedKinds: [...uncounted].sort() }
}

/** What conversions do not take of the newest sessions, without a list, for which all would be read. @param since milliseconds since 1970 */
export async function newestKinds(storage: AgentStorage, count: number, since = 0): Promise<Kinds> {
  const newest: { path: string; modified: number }[] = []
  for await (const found of storage.summaries.scan({ makesSummaries: false }))
    for (const { key, error, cached, modified = cached?.state.modified ?? 0 } of found)
      if (!error && modified >= since) newest.push({ path: key, modified })
  return kindsIn(storage, newest.sort((a, b) => b.modified - a.modified).slice(0, count))
}

export function uncountedSentence(kinds: readonly string[]): string {
  return `usage that is not counted is in records of the kinds ${cleanLine(kinds.join(", "))}`
}
