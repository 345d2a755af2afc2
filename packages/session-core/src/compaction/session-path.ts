import type { EntryHead, SessionEntry } from "../entry/entry.js"
import type { Session } from "../session/session.js"
import { unknownEntry } from "../session/session-errors.js"
import { sessionParts } from "../session/session-parts.js"

/** The path from the root to an entry by the heads alone: no entry is read. Empty for null. */
export function pathTo(session: Session, id: string | null): EntryHead[] {
  const { tree } = sessionParts(session).state
  const ordinal = id === null ? undefined : tree.ordinalOf(id)
  return ordinal === undefined ? [] : tree.pathTo(ordinal).map((at) => tree.headAt(at))
}

/** @throws EntryNotFoundError */
export function knownEntry(session: Session, id: string): SessionEntry {
  const { state, header } = sessionParts(session)
  const entry = state.entry(id)
  if (!entry) throw unknownEntry(header, id)
  return entry
}
