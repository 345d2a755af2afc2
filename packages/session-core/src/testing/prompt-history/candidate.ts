import type { PromptHistory, PromptHistoryOptions } from "../../ports/prompt-history.js"

/** A history that is to be put to the proof. */
export interface PromptHistoryCandidate {
  /** Heads the results. */
  readonly name: string
  /** Whether flushed prompts outlive the object. ContractTests about that are skipped where they do not, with the reason. */
  readonly durable: boolean
  /** Makes a fresh, empty history with these options. Called once for each test, and more often for some. */
  setup(options: PromptHistoryOptions): Promise<PromptHistorySetup>
}

/** One fresh history, and what the suite cannot do through the port. */
export interface PromptHistorySetup {
  readonly history: PromptHistory
  /** A second, independent history over the same data. Needed where `durable`. */
  reopen?(): Promise<PromptHistory>
  /** Called after each test. The suite has closed what it was given, or tried to. */
  teardown(): Promise<void>
}
