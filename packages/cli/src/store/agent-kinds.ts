import type { SessionInfo } from "@treelog/session-core"
import type { AgentStorage } from "@treelog/stores"
import { cleanLine } from "@treelog-internal/text"

/** What a conversion does not take of these sessions. */
interface Kinds {
  /** Kinds of records that treelog does not know; they are kept. */
  readonly unknownKinds: readonly string[]
  /** Kinds of records that have tokens, of sessions in which no usage is found. */
  readonly uncountedKinds: readonly string[]
}

export async function kindsIn(storage: AgentStorage, sessions: Iterable<Pick<SessionInfo, "path">>): Promise<Kinds> {
  const [unknown, uncounted] = [new Set<string>(), new Set<string>()]
  for (const { path } of sessions) {
    const { unknownKinds, uncountedKinds = [] } = await storage.report(path)
    for (const kind of unknownKinds) unknown.add(kind)
    for (const kind of uncountedKinds) uncounted.add(kind)
  }
  return { unknownKinds: [...unknown].sort(), uncountedKinds: [...uncounted].sort() }
}

export function uncountedSentence(kinds: readonly string[]): string {
  return `usage that is not counted is in records of the kinds ${cleanLine(kinds.join(", "))}`
}
