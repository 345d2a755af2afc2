import type { EntryHead, SessionEntry } from "../../entry/entry.js"
import type { Usage } from "../../entry/message.js"
import type { CompactionExtras } from "../../entry/new-entry.js"
import { unknownEntry } from "../session-errors.js"
import { sessionParts } from "../session-parts.js"

/** A session that can be compacted: what compaction and branch summaries use of it. `Session` implements it. */
export interface CompactionTarget {
  getLeafId(): string | null
  appendCompaction(
    summary: string,
    firstKeptEntryId: string | undefined,
    tokensBefore: number,
    details?: unknown,
    fromExtension?: boolean,
    extras?: CompactionExtras,
  ): string
  appendLabelChange(targetId: string, label: string | undefined): string
  branch(entryId: string): void
  resetLeaf(): void
  branchWithSummary(
    targetId: string | null,
    summary: string,
    details?: unknown,
    fromExtension?: boolean,
    usage?: Usage,
  ): string
}

/** The path from the root to an entry by the heads alone: no entry is read. Empty for null. */
export function pathTo(session: CompactionTarget, id: string | null): EntryHead[] {
  const { tree } = sessionParts(session).state
  const ordinal = id === null ? undefined : tree.ordinalOf(id)
  return ordinal === undefined ? [] : tree.pathTo(ordinal).map((at) => tree.headAt(at))
}

/** @throws EntryNotFoundError */
export function knownEntry(session: CompactionTarget, id: string): SessionEntry {
  const { state, header } = sessionParts(session)
  const entry = state.entry(id)
  if (!entry) throw unknownEntry(header, id)
  return entry
}
