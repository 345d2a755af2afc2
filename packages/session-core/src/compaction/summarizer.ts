import type { Usage } from "../entry/message.js"
import { isJsonObject } from "../entry/values.js"

/** A request to a summarizer. */
export interface SummaryRequest {
  /** `history`: a first summary; `update`: continues the previous one; `split-turn`: the first part of a turn; `branch`: an abandoned branch. */
  readonly kind: "history" | "update" | "split-turn" | "branch"
  /** The system prompt for the model. */
  readonly systemPrompt: string
  /** The user message for the model: the conversation and the task. */
  readonly prompt: string
  /** Maximum length of the answer, in tokens. */
  readonly maxTokens: number
}

/** The answer of a summarizer. An empty text counts as a failure: nothing is stored. */
export interface Summary {
  readonly text: string
  /** The usage of the call, stored with the summary so that it counts in the session's totals. */
  readonly usage?: Usage | undefined
}

/**
 * Asks a model for a summary. You provide it, with any model and any library. When `signal` aborts, treelog stops waiting for the
 * answer; for a time limit, pass `AbortSignal.timeout(ms)`.
 */
export type Summarizer = (request: SummaryRequest, signal: AbortSignal | undefined) => Promise<Summary>

/** Options for making a summary. */
export interface SummarizeOptions {
  /** Additional instructions, for example what to focus on. */
  readonly instructions?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Calls the summarizer, and waits for its answer or for the signal, whichever comes first.
 * @returns undefined when the answer has no text
 * @throws whatever the summarizer throws; the reason of the signal when it aborts
 */
export async function askSummarizer(
  summarizer: Summarizer,
  request: SummaryRequest,
  signal: AbortSignal | undefined,
): Promise<Summary | undefined> {
  signal?.throwIfAborted()
  return nonEmptySummary(await unlessAborted(summarizer(request, signal), signal))
}

/** The summary with its text trimmed; undefined when the text is empty or the value is not a summary. */
export function nonEmptySummary(summary: Summary): Summary | undefined {
  const text = isJsonObject(summary) && typeof summary.text === "string" ? summary.text.trim() : ""
  return text === "" ? undefined : { ...summary, text }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    // The summarizer itself may have aborted the signal.
    if (signal.aborted) abort()
    const done = (): void => signal.removeEventListener("abort", abort)
    work.then(resolve, reject).then(done, done)
  })
}
