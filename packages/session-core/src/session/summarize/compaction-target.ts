import type { EntryPath } from "../../context/entry-path.js"
import type { EntryHead, SessionEntry } from "../../entry/entry.js"
import type { Usage } from "../../entry/message.js"
import type { CompactionExtras } from "../../entry/new-entry.js"
import { TreelogError } from "../../errors.js"
import type { BlobStore } from "../../ports/blob-store.js"
import type { EntryTree } from "../../tree/entry-tree.js"

/** What summaries ask of a session, and tell it. `Session` is one. */
export interface CompactionTarget {
  getSessionId(): string
  getLeafId(): string | null
  getEntry(id: string): SessionEntry | undefined
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
  /** @internal */
  readonly parts: {
    readonly state: { readonly tree: EntryTree; entryPath(id: string | null): EntryPath }
    readonly store: { assertWritable(): void; withExclusiveWrite<T>(work: () => T): Promise<T> }
    readonly blobs: BlobStore | undefined
  }
}

/** The way from the root to an entry by the heads alone: nothing is read for it. Empty for null. */
export function pathTo({ parts: { state } }: CompactionTarget, id: string | null): EntryHead[] {
  const ordinal = id === null ? undefined : state.tree.ordinalOf(id)
  return ordinal === undefined ? [] : state.tree.pathTo(ordinal).map((at) => state.tree.headAt(at))
}

/** @throws EntryNotFoundError */
export function knownEntry(session: CompactionTarget, id: string): SessionEntry {
  const entry = session.getEntry(id)
  if (entry) return entry
  const message = `No entry of session ${session.getSessionId()} has the id ${JSON.stringify(id)}. getEntries() and getTree() list them.`
  throw new TreelogError("EntryNotFoundError", message, { id })
}
