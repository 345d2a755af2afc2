import type { Usage } from "../entry/message.js"

/** What a summarizer is asked. */
export interface SummaryRequest {
  /** `history`: a first summary; `update`: the previous one and what came since; `split-turn`: the first part of a turn; `branch`. */
  readonly kind: "history" | "update" | "split-turn" | "branch"
  /** Who the model is to be, for its system prompt. */
  readonly systemPrompt: string
  /** Everything else, as one message of the user: the conversation, and what to make of it. */
  readonly prompt: string
  /** How long the answer should be at most, in tokens. */
  readonly maxTokens: number
}

/** What a summarizer answers. An empty text counts as a failure: nothing is stored. */
export interface Summary {
  readonly text: string
  /** Stored with the summary, so that it counts in the totals. */
  readonly usage?: Usage | undefined
}

/**
 * Asks a model for a summary. It is the caller's: any model, any library, any program. When `signal` aborts, its answer is not
 * waited for any longer; to set a time limit, hand in a signal that aborts by itself.
 */
export type Summarizer = (request: SummaryRequest, signal: AbortSignal | undefined) => Promise<Summary>

/** What whoever asks for a summary may say. */
export interface SummarizeOptions {
  /** What the summary should pay special attention to. */
  readonly instructions?: string | undefined
  readonly signal?: AbortSignal | undefined
}
