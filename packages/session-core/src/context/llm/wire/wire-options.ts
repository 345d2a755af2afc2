import type { ThinkingTarget } from "../convert-thinking.js"

/** Options for the converters to provider formats. */
export interface WireOptions {
  /** The model that gets the messages: only its own thinking is sent as thinking, that of others as text. */
  readonly target?: ThinkingTarget | undefined
}
