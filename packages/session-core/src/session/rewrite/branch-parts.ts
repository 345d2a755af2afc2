import { type EntryHead, givenName, isEntry, type SessionEntry } from "../../entry/entry.js"
import type { NewEntry } from "../../entry/new-entry.js"
import type { Place } from "../../log/line.js"
import type { SessionState } from "../session-state.js"

/** An entry of a branched session: one of the source, perhaps chained anew, or a new one. */
export interface BranchItem {
  /** The entry with the links that it has in the branch. Read when it is needed. */
  entry(): SessionEntry
  /** Where its line stands in the source; undefined where it has none there. */
  readonly place?: Place
  /** Its references to other entries, where they differ in the branch. */
  readonly links?: EntryLinks
}

export interface EntryLinks {
  readonly parentId: string | null
  readonly firstKeptEntryId?: string
}

/** Makes an entry under the given parent: the session's clock and ids are the caller's. */
export type MakeEntry = (fields: NewEntry, parentId: string | null) => SessionEntry

/** The session's name now, and the one that it has where no entry gives one. */
export interface BranchNames {
  readonly now: string | undefined
  readonly byHeader: string | undefined
}

/**
 * The path from the root to a leaf as the entries of a session of its own (FORMAT.md, section 5). Labels (and pi
 * agent-core's leaf entries, which speak of the whole tree) are left out and their children chained to the entry before;
 * a compaction that kept from one of them keeps from the next that is there. Behind the leaf, in one line, come the labels
 * of what was copied, and the name where the path itself does not give it.
 *
 * The items hold for the source as it is now: they speak of its entries and places, which stay, and not of their order, which
 * changes when others append.
 */
export function branchItems(state: SessionState, leafId: string, names: BranchNames, make: MakeEntry): BranchItem[] {
  const path = state.pathTo(leafId)
  const kept = path.filter((ordinal) => !isDropped(state.headAt(ordinal)))
  const nextKept = keptFrom(state, path)
  const entries = state.pathOf(kept)
  const items: BranchItem[] = []
  let parentId: string | null = null
  for (const [index, ordinal] of kept.entries()) {
    const links = changedLinks(state, ordinal, parentId, nextKept)
    const line = state.line(ordinal)
    items.push({
      entry: () => (links ? ({ ...entries.entry(index), ...links } as SessionEntry) : entries.entry(index)),
      ...(line?.verbatim && { place: line.place }),
      ...(links && { links }),
    })
    parentId = entries.id(index)
  }
  const append = (fields: NewEntry): void => {
    const entry = make(fields, parentId)
    items.push({ entry: () => entry })
    parentId = entry.id
  }
  const ids = new Set(kept.map((ordinal) => state.headAt(ordinal)?.id))
  for (const [targetId, { label }] of state.labels.entries())
    if (ids.has(targetId)) append({ type: "label", targetId, label })
  const { now: name = "", byHeader = "" } = names
  if ((nameOn(state, kept) ?? byHeader) !== name) append({ type: "session_info", name })
  return items
}

function isDropped(head: EntryHead | undefined): boolean {
  return head?.type === "label" || head?.type === "leaf"
}

/** For each dropped entry of the path, the next one that is kept. */
function keptFrom(state: SessionState, path: readonly number[]): Map<string, string> {
  const next = new Map<string, string>()
  let following: string | undefined
  for (const ordinal of [...path].reverse()) {
    const head = state.headAt(ordinal)
    if (!head) continue
    if (!isDropped(head)) following = head.id
    else if (following !== undefined) next.set(head.id, following)
  }
  return next
}

/** Undefined where the references of the entry stay the same. Only compactions have to be read for that. */
function changedLinks(
  state: SessionState,
  ordinal: number,
  parentId: string | null,
  nextKept: ReadonlyMap<string, string>,
): EntryLinks | undefined {
  const head = state.headAt(ordinal)
  const entry = head?.type === "compaction" ? state.entryAt(ordinal) : undefined
  const firstKept = entry && isEntry(entry, "compaction") ? entry.firstKeptEntryId : undefined
  const boundary = nextKept.get(firstKept ?? "")
  if (head?.parentId === parentId && boundary === undefined) return undefined
  return { parentId, ...(firstKept !== undefined && { firstKeptEntryId: boundary ?? firstKept }) }
}

const NAMING: ReadonlySet<string> = new Set(["session_info", "title_change"])

/** The name that the entries themselves give: empty when it was cleared. */
function nameOn(state: SessionState, ordinals: readonly number[]): string | undefined {
  let name: string | undefined
  for (const ordinal of ordinals) {
    if (NAMING.has(state.headAt(ordinal)?.type ?? "")) name = givenName(state.entryAt(ordinal) as SessionEntry) ?? name
  }
  return name
}
