import type { SessionManagerOptions } from "@treelog/session-core"

type IdSource = NonNullable<SessionManagerOptions["ids"]>

/**
 * Ids that count up, so that a test can name them: entries `00000001`, `00000002`, …; sessions and long ids as UUIDs that end
 * in the count. Two sources with different `start` never give the same id (16 million apart).
 */
export function testIds(start = 0): IdSource {
  const base = start * 0x1000000
  let entries = base
  let sessions = base
  let uuids = base
  return {
    entryId: () => (++entries).toString(16).padStart(8, "0"),
    sessionId: () => `01950000-0000-7000-8000-${(++sessions).toString(16).padStart(12, "0")}`,
    uuid: () => `00000000-0000-4000-8000-${(++uuids).toString(16).padStart(12, "0")}`,
  }
}

/** Gives the listed entry ids first, then counts up: for collisions. */
export function idsBeginningWith(...entryIds: string[]): IdSource {
  const rest = testIds()
  const waiting = [...entryIds]
  return { ...rest, entryId: () => waiting.shift() ?? rest.entryId() }
}
