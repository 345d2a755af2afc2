import { DEFAULT_COMPACTION_SETTINGS } from "../../compaction/compaction-settings.js"
import type { FileLists } from "../../compaction/file-operations.js"
import { entriesLeft, prepareBranchSummary } from "../../compaction/prepare-branch-summary.js"
import { branchRequest, summarizeLeftBranch } from "../../compaction/summarize-left-branch.js"
import type { SummarizeOptions, Summarizer } from "../../compaction/summarizer.js"
import type { SessionEntry } from "../../entry/entry.js"
import type { Usage } from "../../entry/message.js"
import { knownEntry, pathToLeaf, type SummarizedSession } from "./summarized-session.js"

export interface BranchSummaryOptions extends SummarizeOptions {
  /** What the summarizer's model can take, in tokens. Default 128,000. */
  readonly contextWindow?: number | undefined
  /** How much of it stays free for the prompt and the answer, in tokens. Default 16,384. */
  readonly reserveTokens?: number | undefined
}

/**
 * What became of a branch summary. All but `summarized` changed nothing, and the leaf is where it was: nothing is left behind
 * on the way to the target; the summary had no text; or the leaf had moved when it came.
 */
export type BranchSummaryOutcome =
  | {
      readonly status: "summarized"
      readonly entryId: string
      readonly summary: string
      readonly files: FileLists
      readonly usage?: Usage
    }
  | { readonly status: "nothing-to-summarize" | "empty-summary" | "overtaken" }

/**
 * Goes to an entry and says there, in a summary, what the branch that is left was about (FORMAT.md, sections 5 and 9). The
 * summary becomes the leaf.
 * @param targetId null for a place before everything
 * @throws EntryNotFoundError; whatever the summarizer throws; the reason of the signal when it aborts; and what appends throw
 */
export async function summarizeBranch(
  session: SummarizedSession,
  targetId: string | null,
  summarizer: Summarizer,
  options: BranchSummaryOptions = {},
): Promise<BranchSummaryOutcome> {
  const targetPath = targetId === null ? [] : session.getBranch(knownEntry(session, targetId).id)
  return summarizeWayTo(session, targetPath, targetId, summarizer, options)
}

/**
 * The same where the summary is put elsewhere than at the end of the path to which one goes.
 * @param targetPath what is on it is not left behind
 */
export async function summarizeWayTo(
  session: SummarizedSession,
  targetPath: readonly SessionEntry[],
  landingId: string | null,
  summarizer: Summarizer,
  options: BranchSummaryOptions,
): Promise<BranchSummaryOutcome> {
  session.parts.store.assertWritable()
  const { contextWindow = 128_000, reserveTokens = DEFAULT_COMPACTION_SETTINGS.reserveTokens } = options
  const leafId = session.getLeafId()
  const left = entriesLeft(pathToLeaf(session), targetPath)
  const preparation = prepareBranchSummary(left, Math.max(1, contextWindow - reserveTokens))
  const request = branchRequest(preparation, options.instructions)
  if (!request) return { status: "nothing-to-summarize" }
  const summarized = await summarizeLeftBranch(request, preparation, summarizer, options)
  if (!summarized) return { status: "empty-summary" }
  if (session.getLeafId() !== leafId) return { status: "overtaken" }

  const { summary, usage } = summarized
  const { files } = preparation
  const entryId = session.branchWithSummary(landingId, summary, { ...files }, undefined, usage)
  return { status: "summarized", entryId, summary, files, ...(usage && { usage }) }
}
