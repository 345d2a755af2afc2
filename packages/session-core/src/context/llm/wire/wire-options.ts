import type { ThinkingTarget } from "../convert-thinking.js"

/** For whom the messages are. */
export interface WireOptions {
  /** Whom the messages are for: only its own thinking goes as thinking, that of others as text. */
  readonly target?: ThinkingTarget | undefined
}
