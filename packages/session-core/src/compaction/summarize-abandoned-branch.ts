import { wellFormed } from "../context/llm/well-formed.js"
import { askSummarizer } from "./ask-summarizer.js"
import { type FinishedSummary, finishSummary } from "./finish-summary.js"
import type { BranchPreparation } from "./prepare-branch-summary.js"
import { branchPrompt, promptOf, SUMMARIZER_ROLE } from "./prompts.js"
import { serializeConversation } from "./serialize-conversation.js"
import type { SummarizeOptions, Summarizer, SummaryRequest } from "./summarizer.js"

const MAX_TOKENS = 2_048

/** The summary request for an abandoned branch; undefined when it has no messages to summarize. */
export function branchRequest({ messages }: BranchPreparation, instructions?: string): SummaryRequest | undefined {
  const conversation = wellFormed(serializeConversation(messages))
  if (conversation === "") return undefined
  const prompt = promptOf(branchPrompt(), conversation, { instructions })
  return { kind: "branch", systemPrompt: SUMMARIZER_ROLE, prompt, maxTokens: MAX_TOKENS }
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
