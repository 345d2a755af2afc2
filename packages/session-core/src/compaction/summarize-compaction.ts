import { wellFormed } from "../context/llm/well-formed.js"
import type { Usage } from "../entry/message.js"
import { addUsage } from "./add-usage.js"
import { askSummarizer } from "./ask-summarizer.js"
import { splitFileLists, withFileLists } from "./file-lists-text.js"
import type { CompactionPreparation } from "./prepare-compaction.js"
import { HISTORY_PROMPT, promptOf, SPLIT_TURN_PROMPT, SUMMARIZER_ROLE, UPDATE_PROMPT } from "./prompts.js"
import { serializeConversation } from "./serialize-conversation.js"
import type { SummarizeOptions, Summarizer, SummaryRequest } from "./summarizer.js"

/** What a compaction asks: of the history, and of the first part of a turn that is cut in two. Each may be missing. */
export interface CompactionRequests {
  readonly history?: SummaryRequest
  readonly turnPrefix?: SummaryRequest
}

/** The requests of a compaction, for whoever wants to see them before they are made. */
export function compactionRequests(
  { messagesToSummarize, turnPrefixMessages, previousSummary, settings }: CompactionPreparation,
  instructions?: string,
): CompactionRequests {
  const history = wellFormed(serializeConversation(messagesToSummarize))
  const turnPrefix = wellFormed(serializeConversation(turnPrefixMessages))
  const previous = previousSummary && splitFileLists(previousSummary).summary
  return {
    ...(history && {
      history: {
        kind: previous ? ("update" as const) : ("history" as const),
        systemPrompt: SUMMARIZER_ROLE,
        prompt: promptOf(previous ? UPDATE_PROMPT : HISTORY_PROMPT, history, {
          previousSummary: previous,
          instructions,
        }),
        maxTokens: Math.floor(settings.reserveTokens * 0.8),
      },
    }),
    ...(turnPrefix && {
      turnPrefix: {
        kind: "split-turn" as const,
        systemPrompt: SUMMARIZER_ROLE,
        prompt: promptOf(SPLIT_TURN_PROMPT, turnPrefix, { instructions }),
        maxTokens: Math.floor(settings.reserveTokens * 0.5),
      },
    }),
  }
}

/**
 * Has a prepared compaction summarized: both parts at once, the previous summary carried on, and the lists of files behind.
 * @returns undefined when a summary came back empty
 * @throws whatever the summarizer throws; the reason of the signal when it aborts
 */
export async function summarizeCompaction(
  preparation: CompactionPreparation,
  summarizer: Summarizer,
  { instructions, signal }: SummarizeOptions = {},
): Promise<{ summary: string; usage?: Usage } | undefined> {
  const { history, turnPrefix } = compactionRequests(preparation, instructions)
  const ask = (request: SummaryRequest | undefined) => request && askSummarizer(summarizer, request, signal)
  const [ofHistory, ofTurn] = await Promise.all([ask(history), ask(turnPrefix)])
  if ((history && !ofHistory) || (turnPrefix && !ofTurn)) return undefined
  const { previousSummary = "" } = preparation
  const before = ofHistory ? ofHistory.text : splitFileLists(previousSummary).summary
  const parts = [before, ...(ofTurn ? [`${TURN_HEADING}\n\n${ofTurn.text}`] : [])].filter((part) => part !== "")
  if (parts.length === 0) return undefined
  const usage = addUsage(ofHistory?.usage, ofTurn?.usage)
  return { summary: withFileLists(parts.join("\n\n---\n\n"), preparation.files), ...(usage && { usage }) }
}

const TURN_HEADING = "# The turn that is under way: its first part"
