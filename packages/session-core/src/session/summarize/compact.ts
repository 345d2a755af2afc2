import { type CompactionSettings, DEFAULT_COMPACTION_SETTINGS } from "../../compaction/compaction-settings.js"
import type { FileLists } from "../../compaction/file-operations.js"
import { prepareCompaction } from "../../compaction/prepare-compaction.js"
import { summarizeCompaction } from "../../compaction/summarize-compaction.js"
import type { SummarizeOptions, Summarizer } from "../../compaction/summarizer.js"
import type { SessionEntry } from "../../entry/entry.js"
import type { Usage } from "../../entry/message.js"
import { pathToLeaf, type SummarizedSession } from "./summarized-session.js"

export interface CompactOptions extends SummarizeOptions {
  /** What differs from the defaults. `enabled` has no say here: whoever calls wants a compaction. */
  readonly settings?: Partial<CompactionSettings> | undefined
}

/**
 * What became of a compaction. All but `compacted` changed nothing: there was nothing to summarize; the summary had no text;
 * or the session had moved on when it came: it was compacted or reset by another, or its leaf went to another branch.
 */
export type CompactOutcome =
  | {
      readonly status: "compacted"
      readonly entryId: string
      readonly summary: string
      readonly firstKeptEntryId: string
      /** Size of the context before, in tokens. */
      readonly tokensBefore: number
      readonly files: FileLists
      readonly usage?: Usage
    }
  | { readonly status: "nothing-to-compact" | "empty-summary" | "overtaken" }

/**
 * Compacts a session: everything before the newest messages is summarized, and the context goes on from the summary
 * (FORMAT.md, section 9). The session can be used in the meantime; what is appended while the summary is made is kept.
 * Nothing is appended before the summary is there, whole. Like any append it is on disk when `flush` resolves.
 * @throws whatever the summarizer throws; the reason of the signal when it aborts; and what appends throw
 */
export async function compact(
  session: SummarizedSession,
  summarizer: Summarizer,
  options: CompactOptions = {},
): Promise<CompactOutcome> {
  session.parts.store.assertWritable()
  const path = pathToLeaf(session)
  const compactionsBefore = compactionIds(session)
  const preparation = prepareCompaction(path, { ...DEFAULT_COMPACTION_SETTINGS, ...options.settings })
  if (!preparation) return { status: "nothing-to-compact" }
  const summarized = await summarizeCompaction(preparation, summarizer, options)
  if (!summarized) return { status: "empty-summary" }
  // What other processes appended to a shared session counts too.
  await session.refresh()
  options.signal?.throwIfAborted()
  if (isOvertaken(session, path, compactionsBefore)) return { status: "overtaken" }

  const { summary, usage } = summarized
  const { firstKeptEntryId, tokensBefore, files, systemMessage } = preparation
  const extras = { ...(usage && { usage }), ...(systemMessage && { systemMessage }) }
  const entryId = session.appendCompaction(summary, firstKeptEntryId, tokensBefore, { ...files }, undefined, extras)
  return { status: "compacted", entryId, summary, firstKeptEntryId, tokensBefore, files, ...(usage && { usage }) }
}

/** Whether the path that was summarized is no longer the way to the leaf, was reset, or was compacted, on whichever branch. */
function isOvertaken(
  session: SummarizedSession,
  path: readonly SessionEntry[],
  compactionsBefore: ReadonlySet<string>,
): boolean {
  const index = path.length - 1
  const goesThrough = (way: readonly SessionEntry[]): boolean => way[index]?.id === path[index]?.id
  const now = pathToLeaf(session)
  if (!goesThrough(now) || now.slice(path.length).some(({ type }) => type === "reset_boundary")) return true
  const since = [...compactionIds(session)].filter((id) => !compactionsBefore.has(id))
  return since.some((id) => goesThrough(session.getBranch(id)))
}

function compactionIds(session: SummarizedSession): Set<string> {
  return new Set(session.getEntries().flatMap(({ type, id }) => (type === "compaction" ? [id] : [])))
}
