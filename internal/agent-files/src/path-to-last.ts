import type { SessionEntry } from "@treelog/session-core"

/** The path to the last of some entries, the first without a parent among them at the start. */
export function pathToLast(entries: readonly SessionEntry[]): SessionEntry[] {
  const byId = new Map<string | null | undefined, SessionEntry>(entries.map((entry) => [entry.id, entry]))
  const path: SessionEntry[] = []
  for (let at = entries.at(-1); at; at = byId.get(at.parentId)) path.push(at)
  return path.reverse()
}
