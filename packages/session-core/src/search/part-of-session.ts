import type { HitPart, IndexedSession } from "../ports/session-index.js"

type Place = Pick<IndexedSession, "key" | "source">

/** A text that names a session of an index, and no other: its source and its key. */
export function placeOf({ key, source = "" }: Place): string {
  return `${source}\n${key}`
}

/** The place of the session that answers name: of a part, the one that it belongs to. */
export function ownerPlace({ key, source, part }: IndexedSession): string {
  return placeOf({ key: part?.of ?? key, ...(source !== undefined && { source }) })
}

/** What answers say of a part; undefined for a session that is none. */
export function hitPartOf({ key, part }: IndexedSession): HitPart | undefined {
  return part && { key, name: part.name, role: part.role }
}
