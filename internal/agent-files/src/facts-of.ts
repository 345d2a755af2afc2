import type { SessionEntry, SessionHeader, SessionInfo } from "@treelog/session-core"
import { FactCollector, type SessionFacts } from "@treelog/session-core/adapter"
import type { SourceSession } from "./agent-source.js"
import { splitFacts } from "./converted-states.js"

interface Converted {
  readonly header: SessionHeader
  readonly entries: Iterable<SessionEntry>
}

/** What a list shows of a session that was converted. Where its records have no times, those of its file are its times. */
export function factsOf({ header, entries }: Converted, { size, modified }: SourceSession): SessionFacts {
  const facts = new FactCollector()
  facts.addHeader({ header, titleSlot: undefined })
  for (const entry of entries) facts.addEntry(entry as never)
  const found = facts.facts({ size, modified, identity: "" })
  const created = found.created || Math.floor(modified)
  return { ...found, created, modified: found.modified || created }
}

/** The facts that some converted lines decide: without what is counted in all of them. */
export function factsOfExcerpt(converted: Converted, session: SourceSession): Omit<SessionInfo, "path"> {
  return splitFacts(factsOf(converted, session)).others
}
