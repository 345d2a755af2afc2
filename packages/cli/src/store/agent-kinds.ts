import type { SessionInfo } from "@treelog/session-core"
import type { AgentStorage } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"

type Kinds = Awaited<ReturnType<AgentStorage["kindsOf"]>>

/** What conversions do not take of these sessions. */
export async function kindsIn(storage: AgentStorage, sessions: Iterable<Pick<SessionInfo, "path">>): Promise<Kinds> {
  const [unknown, uncounted] = [new Set<string>(), new Set<string>()]
  for (const { path } of sessions) {
    const { unknownKinds, uncountedKinds } = await storage.kindsOf(path)
    for (const kind of unknownKinds) unknown.add(kind)
    for (const kind of uncountedKinds) uncounted.add(kind)
  }
  return { unknownKinds: [...unknown].sort(), uncountedKinds: [...uncounted].sort() }
}

export function uncountedSentence(kinds: readonly string[]): string {
  return `usage that is not counted is in records of the kinds ${cleanLine(kinds.join(", "))}`
}
