/** Why there is no summary. */
export type NoSummary = "not-started" | "failed" | "timeout" | "empty" | "too-long" | "unreadable" | "overtaken"

/** No summary came, and nothing was changed. Has the shape of a TreelogError, so that it is reported like one. */
export class SummaryError extends Error {
  override readonly name = "SummaryError"
  readonly code = "SummaryError"
  readonly data: Readonly<Record<string, unknown> & { reason: NoSummary }>

  constructor(reason: NoSummary, message: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.data = { reason, ...data }
  }
}
