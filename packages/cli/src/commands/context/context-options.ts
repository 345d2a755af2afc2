import type { LlmFormat } from "./llm-request.js"

export interface ContextCommandOptions {
  readonly leaf?: string
  readonly provider?: string
  readonly full?: boolean
  readonly llm?: LlmFormat
  readonly repair?: boolean
}
