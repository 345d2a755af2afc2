import type { SessionEntry } from "../../entry/entry.js"
import type { Usage } from "../../entry/message.js"
import type { CompactionExtras } from "../../entry/new-entry.js"
import { TreelogError } from "../../errors.js"

/** What summaries ask of a session, and tell it. `Session` is one. */
export interface SummarizedSession {
  getSessionId(): string
  getLeafId(): string | null
  getEntries(): SessionEntry[]
  getEntry(id: string): SessionEntry | undefined
  getBranch(fromId?: string): SessionEntry[]
  refresh(): Promise<SessionEntry[]>
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
  readonly parts: { readonly store: { assertWritable(): void } }
}

/** The entries from the root to the leaf, which may be null. */
export function pathToLeaf(session: SummarizedSession): SessionEntry[] {
  const leafId = session.getLeafId()
  return leafId === null ? [] : session.getBranch(leafId)
}

/** @throws EntryNotFoundError */
export function knownEntry(session: SummarizedSession, id: string): SessionEntry {
  const entry = session.getEntry(id)
  if (entry) return entry
  const message = `No entry of session ${session.getSessionId()} has the id ${JSON.stringify(id)}. getEntries() and getTree() list them.`
  throw new TreelogError("EntryNotFoundError", message, { id })
}
