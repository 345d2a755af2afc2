import type { HitPart, IndexedSession } from "../ports/session-index.js"

/** The key of the session that answers name: of a part, the one that it belongs to. */
export function ownerKey({ key, part }: IndexedSession): string {
  return part?.of ?? key
}

/** What answers say of a part; undefined for a session that is none. */
export function hitPartOf({ key, part }: IndexedSession): HitPart | undefined {
  return part && { key, name: part.name, role: part.role }
}
