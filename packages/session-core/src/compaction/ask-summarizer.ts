import { isJsonObject } from "../entry/json-object.js"
import type { Summarizer, Summary, SummaryRequest } from "./summarizer.js"

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
