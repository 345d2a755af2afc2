import { type CompactionEntry, isEntry, type SessionEntry } from "../../entry/entry.js"
import type { SessionHeader } from "../../entry/header.js"
import type { NewEntry } from "../../entry/new-entry.js"
import type { SessionState } from "../session-state.js"

/** An entry of a branched session, and the entry of the source that it is, or was before it was chained anew. */
export interface BranchItem {
  readonly entry: SessionEntry
  readonly source?: { readonly ordinal: number; readonly entry: SessionEntry }
}

/** Makes an entry under the given parent: the session's clock and ids are the caller's. */
export type MakeEntry = (fields: NewEntry, parentId: string | null) => SessionEntry

/** The session's name now, and the one that it has where no entry gives one. */
export interface BranchNames {
  readonly now: string | undefined
  readonly byHeader: string | undefined
}

/**
 * The way from the root to a leaf as the entries of a session of its own (FORMAT.md, section 5). Labels (and pi
 * agent-core's leaf entries, which speak of the whole tree) are left out and their children chained to the entry before;
 * a compaction that kept from one of them keeps from the next that is there. Behind the leaf, in one line, come the labels
 * of what was copied, and the name where the way itself does not give it.
 */
export function branchItems(state: SessionState, leafId: string, names: BranchNames, make: MakeEntry): BranchItem[] {
  const path = state.pathTo(leafId)
  const kept = path.filter((ordinal) => !isDropped(state.entries[ordinal]))
  const nextKept = keptFrom(state, path)
  const items: BranchItem[] = []
  let parentId: string | null = null
  for (const ordinal of kept) {
    const entry = state.entries[ordinal]
    if (!entry) continue
    items.push({ entry: rechained(entry, parentId, nextKept), source: { ordinal, entry } })
    parentId = entry.id
  }
  const append = (fields: NewEntry): void => {
    const entry = make(fields, parentId)
    items.push({ entry })
    parentId = entry.id
  }
  const ids = new Set(kept.map((ordinal) => state.entries[ordinal]?.id))
  for (const [targetId, { label }] of state.labels.entries())
    if (ids.has(targetId)) append({ type: "label", targetId, label })
  const { now: name = "", byHeader = "" } = names
  if ((nameOn(state, kept) ?? byHeader) !== name) append({ type: "session_info", name })
  return items
}

function isDropped(entry: SessionEntry | undefined): boolean {
  return entry?.type === "label" || entry?.type === "leaf"
}

/** For each dropped entry of the path, the next one that is kept. */
function keptFrom(state: SessionState, path: readonly number[]): Map<string, string> {
  const next = new Map<string, string>()
  let following: string | undefined
  for (const ordinal of [...path].reverse()) {
    const entry = state.entries[ordinal]
    if (!entry) continue
    if (!isDropped(entry)) following = entry.id
    else if (following !== undefined) next.set(entry.id, following)
  }
  return next
}

function rechained(entry: SessionEntry, parentId: string | null, nextKept: ReadonlyMap<string, string>): SessionEntry {
  const boundary = isEntry(entry, "compaction")
    ? nextKept.get((entry as CompactionEntry).firstKeptEntryId ?? "")
    : undefined
  if (entry.parentId === parentId && boundary === undefined) return entry
  return { ...entry, parentId, ...(boundary !== undefined && { firstKeptEntryId: boundary }) } as SessionEntry
}

/** The name that the entries themselves give: empty when it was cleared. */
function nameOn(state: SessionState, ordinals: readonly number[]): string | undefined {
  let name: string | undefined
  for (const entry of state.entriesAt(ordinals)) {
    if (isEntry(entry, "session_info")) name = typeof entry.name === "string" ? entry.name : ""
    else if (isEntry(entry, "title_change") && typeof entry.title === "string") name = entry.title
  }
  return name
}

/** The header of a session that comes from another one: its own fields are kept, known and unknown. */
export function childHeader(
  parent: SessionHeader,
  {
    id,
    timestamp,
    cwd,
    parentSession,
  }: { id: string; timestamp: string; cwd: string; parentSession: string | undefined },
): SessionHeader {
  const { parentSession: _, ...rest } = parent
  return { ...rest, id, timestamp, cwd, ...(parentSession !== undefined && { parentSession }) }
}
