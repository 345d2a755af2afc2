import { addUsage } from "./add-usage.js"
import { askSummarizer, nonEmptySummary } from "./ask-summarizer.js"
import { splitFileLists } from "./file-lists-text.js"
import { type FinishedSummary, finishSummary } from "./finish-summary.js"
import type { CompactionPreparation } from "./prepare-compaction.js"
import { historyPrompt, splitTurnPrompt, summaryRequest, updatePrompt } from "./prompts.js"
import type { SummarizeOptions, Summarizer, Summary, SummaryRequest } from "./summarizer.js"

/** The summary requests of a compaction: for the history, and for the first part of a turn that is cut in two. */
export interface CompactionRequests {
  readonly history?: SummaryRequest
  readonly turnPrefix?: SummaryRequest
}

/** The summary requests that `compact` would make for a prepared compaction, for inspection. */
export function compactionRequests(
  { messagesToSummarize, turnPrefixMessages, previousSummary, settings }: CompactionPreparation,
  instructions?: string,
): CompactionRequests {
  const { reserveTokens } = settings
  const previous = previousSummary && splitFileLists(previousSummary).summary
  const [kind, task] = previous ? (["update", updatePrompt()] as const) : (["history", historyPrompt()] as const)
  const options = { instructions, previousSummary: previous }
  const history = summaryRequest(kind, task, messagesToSummarize, reserveTokens * 0.8, options)
  const turnPrefix = summaryRequest("split-turn", splitTurnPrompt(), turnPrefixMessages, reserveTokens * 0.5, {
    instructions,
  })
  return { ...(history && { history }), ...(turnPrefix && { turnPrefix }) }
}

/**
 * Has a prepared compaction summarized: both parts in parallel, continuing the previous summary, with lists of files appended.
 * @param summarizer called for each part; or a finished summary of everything
 * @returns undefined when a summary is empty
 * @throws whatever the summarizer throws; the reason of the signal when it aborts
 */
export async function summarizeCompaction(
  preparation: CompactionPreparation,
  summarizer: Summarizer | Summary,
  { instructions, signal }: SummarizeOptions = {},
): Promise<FinishedSummary | undefined> {
  const { files, previousSummary = "" } = preparation
  if (typeof summarizer !== "function") {
    const written = nonEmptySummary(summarizer)
    return written && finishSummary([written.text], files, written.usage)
  }
  const { history, turnPrefix } = compactionRequests(preparation, instructions)
  const ask = (request: SummaryRequest | undefined) => request && askSummarizer(summarizer, request, signal)
  const [ofHistory, ofTurn] = await Promise.all([ask(history), ask(turnPrefix)])
  if ((history && !ofHistory) || (turnPrefix && !ofTurn)) return undefined
  const parts = [ofHistory?.text ?? previousSummary, ...(ofTurn ? [`${TURN_HEADING}\n\n${ofTurn.text}`] : [])]
  return finishSummary(parts, files, addUsage(ofHistory?.usage, ofTurn?.usage))
}

const TURN_HEADING = "# The turn that is under way: its first part"
