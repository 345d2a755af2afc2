import type { Session, SessionEntry } from "@treelog/session-core"
import { freshEntryId, randomIds } from "@treelog/session-core/adapter"

/**
 * The path to an entry as the entries of a session of its own, as pi 1.x writes them: without labels, whose children are chained to the
 * entry before and from which a compaction no longer keeps; then the labels of what is on the path. Undefined for an unknown entry.
 */
export function branchEntries(session: Session, leafId: string): SessionEntry[] | undefined {
  const path = session.getBranch(leafId)
  if (path.length === 0) return undefined
  const entries = withoutLabels(path)
  const ids = new Set(entries.map(({ id }) => id))
  let parentId = entries.at(-1)?.id ?? null
  for (const { targetId, label, timestamp } of labelsOf(session)) {
    if (!ids.has(targetId)) continue
    const id = freshEntryId(randomIds, (candidate) => ids.has(candidate))
    ids.add(id)
    entries.push({ type: "label", id, parentId, timestamp, targetId, label })
    parentId = id
  }
  return entries
}

function withoutLabels(path: readonly SessionEntry[]): SessionEntry[] {
  const next = new Map<unknown, string>()
  let following: string | undefined
  for (const { type, id } of [...path].reverse()) {
    if (type !== "label") following = id
    else if (following !== undefined) next.set(id, following)
  }
  let parentId: string | null = null
  const entries: SessionEntry[] = []
  for (const entry of path) {
    if (entry.type === "label") continue
    const kept = next.get(entry.type === "compaction" && "firstKeptEntryId" in entry && entry.firstKeptEntryId)
    const links = { ...(entry.parentId !== parentId && { parentId }), ...(kept && { firstKeptEntryId: kept }) }
    entries.push({ ...entry, ...links } as SessionEntry)
    parentId = entry.id
  }
  return entries
}

/** The labels that are set, in the order in which their targets were first labelled. */
function labelsOf(session: Session): { targetId: string; label: string; timestamp: string }[] {
  const labels = new Map<string, { targetId: string; label: string; timestamp: string }>()
  for (const entry of session.iterateEntries()) {
    if (entry.type !== "label" || !("targetId" in entry) || typeof entry.targetId !== "string") continue
    const { targetId, timestamp } = entry
    if (typeof entry.label === "string" && entry.label !== "")
      labels.set(targetId, { targetId, label: entry.label, timestamp })
    else labels.delete(targetId)
  }
  return [...labels.values()]
}
