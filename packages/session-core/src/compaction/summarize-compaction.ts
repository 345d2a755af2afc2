import { addUsage } from "../context/context-tokens.js"
import { type FileLists, joinFileLists, splitFileLists, withFileLists } from "../context/file-operations.js"
import type { Usage } from "../entry/message.js"
import type { BranchPreparation } from "./prepare-branch-summary.js"
import type { CompactionPreparation } from "./prepare-compaction.js"
import { branchPrompt, historyPrompt, splitTurnPrompt, summaryRequest, updatePrompt } from "./prompts.js"
import {
  askSummarizer,
  nonEmptySummary,
  type SummarizeOptions,
  type Summarizer,
  type Summary,
  type SummaryRequest,
} from "./summarizer.js"

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

/** A summary that is ready to be stored. */
export interface FinishedSummary {
  /** The text, with its lists of files appended. */
  readonly summary: string
  readonly files: FileLists
  readonly usage?: Usage
}

/**
 * Joins the parts of a summary and appends its lists of files. A summarizer that has seen such lists may have copied them to the
 * end of a part: those are merged into the appended lists.
 * @returns undefined when all parts are empty
 */
function finishSummary(
  parts: readonly string[],
  known: FileLists,
  usage: Usage | undefined,
): FinishedSummary | undefined {
  const split = parts.map(splitFileLists)
  const summary = split.flatMap((part) => part.summary.trim() || []).join("\n\n---\n\n")
  if (summary === "") return undefined
  const files = joinFileLists(known, ...split)
  return { summary: withFileLists(summary, files), files, ...(usage && { usage }) }
}
