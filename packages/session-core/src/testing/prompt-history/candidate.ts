import type { PromptHistory, PromptHistoryOptions } from "../../ports/prompt-history.js"

/** A prompt history to test. */
export interface PromptHistoryCandidate {
  /** The name of the suite in the results. */
  readonly name: string
  /** Whether flushed prompts outlive the object. If not, tests of that are skipped, with the reason. */
  readonly durable: boolean
  /** Makes a new, empty history with these options. Called at least once for each test. */
  setup(options: PromptHistoryOptions): Promise<PromptHistorySetup>
}

/** A new history for one test, and operations that the port does not have. */
export interface PromptHistorySetup {
  readonly history: PromptHistory
  /** Opens a second, independent history over the same data. Required if `durable`. */
  reopen?(): Promise<PromptHistory>
  /** Called after each test. The suite has closed the histories, or tried to. */
  teardown(): Promise<void>
}
