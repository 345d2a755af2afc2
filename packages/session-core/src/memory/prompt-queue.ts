import { TreelogError } from "../errors.js"
import type { Clock } from "../ports/clock.js"
import type { ImportedPrompt, PromptIgnoreRules, PromptOrigin } from "../ports/prompt-history.js"
import { promptToKeep, withoutSecrets } from "./prompt-rules.js"

interface PromptQueueOptions {
  readonly clock: Clock
  readonly rules: PromptIgnoreRules
  /** Keeps prompts, all or, where it fails, none. */
  readonly store: (prompts: readonly ImportedPrompt[]) => Promise<void> | void
}

/** Prompts that were given and are not stored yet. They leave it when they are, so that a fault loses none. */
export class PromptQueue {
  readonly #options: PromptQueueOptions
  readonly #waiting: ImportedPrompt[] = []
  #last: string | undefined
  #stored: Promise<void> = Promise.resolve()
  #closed = false

  constructor(options: PromptQueueOptions) {
    this.#options = options
  }

  /** Takes a prompt of now. @returns whether there is something to store that there was not before */
  add(text: string, { cwd, sessionId }: PromptOrigin = {}): boolean {
    const kept = this.#closed ? undefined : promptToKeep(text, this.#options.rules)
    if (kept === undefined || kept === this.#last) return false
    this.#last = kept
    return this.#waiting.push({ text: kept, createdAt: this.#options.clock.now(), cwd, sessionId }) === 1
  }

  /**
   * Stores all that was added before.
   * @throws HistoryUnavailableError once closed; what `store` and the check for secrets throw
   */
  flush(): Promise<void> {
    // Whoever waited for an earlier flush was told of its fault; its prompts are stored by this one.
    this.#stored = this.#stored.then(
      () => this.#store(),
      () => this.#store(),
    )
    return this.#stored
  }

  close(): void {
    this.#closed = true
  }

  async #store(): Promise<void> {
    if (this.#closed) throw new TreelogError("HistoryUnavailableError", "The history is closed.", { reason: "closed" })
    const { length } = this.#waiting
    if (length === 0) return
    const prompts = await withoutSecrets(this.#waiting.slice(0, length), this.#options.rules)
    if (prompts.length > 0) await this.#options.store(prompts)
    this.#waiting.splice(0, length)
  }
}
