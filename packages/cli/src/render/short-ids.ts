import type { Session } from "@treelog/session-core"

const LEAST = 8

/** The shortest beginnings, of at least 8 characters, that tell the ids apart. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].sort()
  const lengths = new Map<string, number>()
  sorted.forEach((id, index) => {
    const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]))
    lengths.set(id, Math.max(LEAST, shared + 1))
  })
  return (id) => id.slice(0, lengths.get(id) ?? id.length)
}

/** The same for the entries of a session. */
export function shortEntryIds(session: Session): (id: string) => string {
  return shortIds(session.getEntries().map(({ id }) => id))
}

function sharedLength(a: string, b: string | undefined): number {
  if (b === undefined) return 0
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}
