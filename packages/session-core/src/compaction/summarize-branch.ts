import { entriesOf } from "../context/entry-path.js"
import type { Diagnostic } from "../entry/diagnostic.js"
import { type EntryHead, isEntry, type SessionEntry } from "../entry/entry.js"
import { isJsonObject } from "../entry/values.js"
import type { Session } from "../session/session.js"
import { sessionParts } from "../session/session-parts.js"
import { DEFAULT_COMPACTION_SETTINGS } from "./compaction-settings.js"
import { withLongTexts } from "./plan-compaction.js"
import { abandonedEntries, prepareBranchSummary } from "./prepare-branch-summary.js"
import { knownEntry, pathTo } from "./session-path.js"
import { branchRequest, type FinishedSummary, summarizeAbandonedBranch } from "./summarize-compaction.js"
import type { SummarizeOptions, Summarizer } from "./summarizer.js"

/** How the branch that is left is summarized. */
export interface BranchSummaryOptions extends SummarizeOptions {
  /** What the summarizer's model can take, in tokens. Default 128,000. */
  readonly contextWindow?: number | undefined
  /** How much of it stays free for the prompt and the answer, in tokens. Default 16,384. */
  readonly reserveTokens?: number | undefined
}

/**
 * What became of a branch summary. All but `summarized` changed nothing, and the leaf is where it was: nothing is left behind
 * on the path to the target; the summary had no text; or the leaf had moved when it came.
 */
export type BranchSummaryOutcome =
  | (FinishedSummary & {
      readonly status: "summarized"
      readonly entryId: string
      /** Long texts that the summarizer saw cut, since the rest could not be restored. */
      readonly diagnostics: readonly Diagnostic[]
    })
  | { readonly status: "nothing-to-summarize" | "empty-summary" | "overtaken" }

/**
 * Moves the leaf to an entry and appends a summary of the abandoned branch there (FORMAT.md, sections 5 and 9). The
 * summary becomes the leaf.
 * @param targetId null for a place before everything
 * @throws EntryNotFoundError; whatever the summarizer throws; the reason of the signal when it aborts; and what appends throw
 */
export async function summarizeBranch(
  session: Session,
  targetId: string | null,
  summarizer: Summarizer,
  options: BranchSummaryOptions = {},
): Promise<BranchSummaryOutcome> {
  const target = targetId === null ? [] : pathTo(session, knownEntry(session, targetId).id)
  return summarizePathTo(session, target, targetId, summarizer, options)
}

/**
 * Summarizes the branch that is left, where the summary is appended elsewhere than at the end of the target path.
 * @param target the path there: its entries are not abandoned
 */
export async function summarizePathTo(
  session: Session,
  target: readonly EntryHead[],
  landingId: string | null,
  summarizer: Summarizer,
  options: BranchSummaryOptions,
): Promise<BranchSummaryOutcome> {
  const { store, state, ports } = sessionParts(session)
  store.assertWritable()
  const { contextWindow = 128_000, reserveTokens = DEFAULT_COMPACTION_SETTINGS.reserveTokens } = options
  const leafId = session.getLeafId()
  const path = pathTo(session, leafId)
  const left = entriesOf(state.entryPath(leafId), path.length - abandonedEntries(path, target).length)
  const tokenBudget = Math.max(1, contextWindow - reserveTokens)
  // Restored texts only grow, so that no more messages fit than before: the others are not read.
  const { from } = prepareBranchSummary(left, tokenBudget)
  const isUsed = (entry: SessionEntry, index: number) => index >= from && !isToolResult(entry)
  const { entries, diagnostics } = await withLongTexts(left, ports.blobs, isUsed)
  const preparation = prepareBranchSummary(entries, tokenBudget)
  if (session.getLeafId() !== leafId) return { status: "overtaken" }
  const request = branchRequest(preparation, options.instructions)
  if (!request) return { status: "nothing-to-summarize" }
  const summarized = await summarizeAbandonedBranch(request, preparation, summarizer, options)
  if (!summarized) return { status: "empty-summary" }
  if (session.getLeafId() !== leafId) return { status: "overtaken" }

  const { summary, files, usage } = summarized
  const entryId = session.branchWithSummary(landingId, summary, { ...files }, undefined, usage)
  return { status: "summarized", entryId, diagnostics, ...summarized }
}

/** Summaries of a branch do not use results. */
function isToolResult(entry: SessionEntry): boolean {
  return isEntry(entry, "message") && isJsonObject(entry.message) && entry.message.role === "toolResult"
}
