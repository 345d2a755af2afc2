import type { Session, SessionEntry } from "@treelog/session-core"
import { appendEntries, randomIds } from "@treelog/session-core/adapter"

/**
 * Appends an entry. Returns its id.
 * @param make gives its fields in the order in which pi writes them. In one object literal: spreading takes longer than all else here.
 */
export function appendAsPi(
  session: Session,
  make: (id: string, parentId: string | null, timestamp: string) => object,
  parentId = session.getLeafId(),
): string {
  const id = freshId((candidate) => session.getEntry(candidate) !== undefined)
  const entry = make(id, parentId, new Date().toISOString())
  appendEntries(session, [entry as SessionEntry])
  return id
}

/** 8 hex digits that are not taken. */
export function freshId(isTaken: (id: string) => boolean): string {
  for (let tries = 0; tries < 100; tries++) {
    const id = randomIds.entryId()
    if (!isTaken(id)) return id
  }
  return randomIds.uuid()
}
