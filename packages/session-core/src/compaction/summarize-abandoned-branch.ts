import { askSummarizer } from "./ask-summarizer.js"
import { type FinishedSummary, finishSummary } from "./finish-summary.js"
import type { BranchPreparation } from "./prepare-branch-summary.js"
import { branchPrompt, summaryRequest } from "./prompts.js"
import type { SummarizeOptions, Summarizer, SummaryRequest } from "./summarizer.js"

const MAX_TOKENS = 2_048

/** The summary request for an abandoned branch; undefined when it has no messages to summarize. */
export function branchRequest({ messages }: BranchPreparation, instructions?: string): SummaryRequest | undefined {
  return summaryRequest("branch", branchPrompt(), messages, MAX_TOKENS, { instructions })
}

/**
 * Has an abandoned branch summarized, and appends its lists of files.
 * @returns undefined when the summary is empty
 * @throws whatever the summarizer throws; the reason of the signal when it aborts
 */
export async function summarizeAbandonedBranch(
  request: SummaryRequest,
  { files }: BranchPreparation,
  summarizer: Summarizer,
  { signal }: SummarizeOptions,
): Promise<FinishedSummary | undefined> {
  const answer = await askSummarizer(summarizer, request, signal)
  return answer && finishSummary([answer.text], files, answer.usage)
}
