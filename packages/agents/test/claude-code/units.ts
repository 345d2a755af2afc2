import type { SessionEntry } from "@treelog/session-core"
import { isEntry } from "@treelog/session-core"
import { isObject } from "@treelog-internal/agent-files"

/** What the files themselves count: a compaction is a boundary and a summary, results of one line are one. */
export interface Unit {
  readonly kind: string
  readonly id: string
  readonly parent: string | undefined
  readonly isOnPath: boolean
}

/** Translates entries into these units. */
export function unitsOf(entries: readonly SessionEntry[]): Unit[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const path = pathOf(entries)
  const units: Unit[] = []
  for (const entry of entries) {
    const kind = kindOf(entry)
    if (kind === undefined) continue
    const isOnPath = path.has(entry.id)
    units.push({ kind, id: entry.id, parent: unitAbove(entry, byId), isOnPath })
    const summary = summaryOf(entry)
    if (summary !== undefined) units.push({ kind: "summary", id: summary, parent: entry.id, isOnPath })
  }
  return units
}

/** Ids of the entries from the root to the leaf. */
export function pathOf(entries: readonly SessionEntry[]): Set<string> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const ids: string[] = []
  for (let entry = entries.at(-1); entry; entry = entry.parentId === null ? undefined : byId.get(entry.parentId))
    ids.push(entry.id)
  return new Set(ids.reverse())
}

function kindOf(entry: SessionEntry): string | undefined {
  if (isEntry(entry, "compaction")) return summaryOf(entry) === undefined ? "summary" : "boundary"
  if (isEntry(entry, "custom_message")) return entry.customType === "claude-code.meta" ? "meta" : undefined
  if (isEntry(entry, "custom")) {
    const { data } = entry
    return isObject(data) && data.subtype === "compact_boundary" ? "boundary" : undefined
  }
  if (!isEntry(entry, "message") || /:\d+$/.test(entry.id)) return undefined
  const { role } = entry.message
  return role === "assistant" ? "reply" : role === "toolResult" ? "result" : "prompt"
}

function summaryOf(entry: SessionEntry): string | undefined {
  const details = isEntry(entry, "compaction") ? entry.details : undefined
  const summary = isObject(details) ? details.summaryUuid : undefined
  return typeof summary === "string" && summary !== entry.id ? summary : undefined
}

function unitAbove(entry: SessionEntry, byId: ReadonlyMap<string, SessionEntry>): string | undefined {
  for (let id = entry.parentId; id !== null; ) {
    const above = byId.get(id)
    if (!above) return undefined
    if (kindOf(above) !== undefined) return summaryOf(above) ?? above.id
    id = above.parentId
  }
  return undefined
}
