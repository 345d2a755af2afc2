import type { Diagnostic } from "../entry/diagnostic.js"
import type { EntryHead } from "../entry/entry.js"
import type { Session } from "../session/session.js"
import { sessionParts } from "../session/session-parts.js"
import type { CompactionSettings } from "./compaction-settings.js"
import { planCompaction } from "./plan-compaction.js"
import { pathTo } from "./session-path.js"
import { type FinishedSummary, summarizeCompaction } from "./summarize-compaction.js"
import type { SummarizeOptions, Summarizer, Summary } from "./summarizer.js"

/** How a session is compacted. */
export interface CompactOptions extends SummarizeOptions {
  /** What differs from the defaults. `enabled` is ignored here: the caller wants a compaction. */
  readonly settings?: Partial<CompactionSettings> | undefined
}

/**
 * What became of a compaction. All but `compacted` changed nothing: there was nothing to summarize; the summary had no text;
 * or the session had moved on when it came: it was compacted or reset by another, or its leaf went to another branch.
 */
export type CompactOutcome =
  | (FinishedSummary & {
      readonly status: "compacted"
      readonly entryId: string
      readonly firstKeptEntryId: string
      /** Size of the context before, in tokens. */
      readonly tokensBefore: number
      /** Long texts that the summarizer saw cut, since the rest could not be restored. */
      readonly diagnostics: readonly Diagnostic[]
    })
  | { readonly status: "nothing-to-compact" | "empty-summary" | "overtaken" }

/**
 * Compacts a session: everything before the newest messages is summarized, and the context continues from the summary
 * (FORMAT.md, section 9). The session can be used in the meantime; what is appended while the summary is made is kept.
 *
 * Nothing is appended before the summary is there, whole, and only if the plan still holds then. Of several compactions of
 * one path at once one lands, also of processes that share the session: they read each other's entries, and append,
 * while they hold the lease. What has landed is stored when the promise resolves, and on disk when `flush` does.
 * @param summarizer writes the summary; or a summary that was written already, of everything that is to be summarized
 * @throws whatever the summarizer throws; the reason of the signal when it aborts; SessionBusyError when another process did not
 * give a shared session back in time; SessionChangedError when the file was replaced; and what appends throw. All of these
 * changed nothing, but for PersistError: then the compaction waits for `retry` like anything that was appended.
 */
export async function compact(
  session: Session,
  summarizer: Summarizer | Summary,
  options: CompactOptions = {},
): Promise<CompactOutcome> {
  const { store } = sessionParts(session)
  store.assertWritable()
  const path = pathTo(session, session.getLeafId())
  const compactionsBefore = compactionIds(session)
  const plan = await planCompaction(session, options.settings)
  if (!plan) return { status: "nothing-to-compact" }
  const summarized = await summarizeCompaction(plan, summarizer, options)
  if (!summarized) return { status: "empty-summary" }
  return store.withExclusiveWrite(() => {
    options.signal?.throwIfAborted()
    if (isOvertaken(session, path, compactionsBefore)) return { status: "overtaken" }
    const { summary, files, usage } = summarized
    const { firstKeptEntryId, tokensBefore, systemMessage, diagnostics } = plan
    const extras = { ...(usage && { usage }), ...(systemMessage && { systemMessage }) }
    const entryId = session.appendCompaction(summary, firstKeptEntryId, tokensBefore, { ...files }, undefined, extras)
    return { status: "compacted", entryId, firstKeptEntryId, tokensBefore, diagnostics, ...summarized }
  })
}

/** Whether the path that was summarized no longer leads to the leaf, was reset, or was compacted, on whichever branch. */
function isOvertaken(
  session: Session,
  summarized: readonly EntryHead[],
  compactionsBefore: ReadonlySet<string>,
): boolean {
  const end = summarized.length - 1
  const goesThrough = (path: readonly EntryHead[]): boolean => path[end]?.id === summarized[end]?.id
  const now = pathTo(session, session.getLeafId())
  if (!goesThrough(now) || now.slice(summarized.length).some(({ type }) => type === "reset_boundary")) return true
  const since = [...compactionIds(session)].filter((id) => !compactionsBefore.has(id))
  return since.some((id) => goesThrough(pathTo(session, id)))
}

function compactionIds(session: Session): Set<string> {
  const { state } = sessionParts(session)
  return new Set(state.ordinalsOf("compaction").map((ordinal) => state.tree.headAt(ordinal).id))
}
