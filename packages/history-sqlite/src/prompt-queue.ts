import type { Clock } from "@treelog/session-core"
import { Turns } from "@treelog/session-core/adapter"
import { historyClosed } from "./history-closed.js"
import { acceptPrompt, isSecret } from "./ignore-rules.js"
import type { ImportedPrompt, PromptIgnoreRules, PromptOrigin } from "./prompt.js"

interface PromptQueueOptions {
  readonly clock: Clock
  readonly rules: PromptIgnoreRules
  /** Stores prompts: all of them, or none if it fails. */
  readonly store: (prompts: readonly ImportedPrompt[]) => Promise<void>
  /** Called when a background write fails. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Runs a function soon. Default: `setImmediate`; another in tests. */
  readonly defer?: ((work: () => void) => void) | undefined
}

/**
 * Queue of prompts that are not stored yet. Each `add` starts a background write, unless one is scheduled already. Prompts leave the
 * queue when they are stored: after an error, the next write tries again.
 */
export class PromptQueue {
  readonly #options: PromptQueueOptions
  readonly #waiting: ImportedPrompt[] = []
  #last: string | undefined
  readonly #turns = new Turns()
  #isDeferred = false
  #isClosing = false
  #isClosed = false
  #lastError: unknown

  constructor(options: PromptQueueOptions) {
    this.#options = options
  }

  /** The error of the last failed write; undefined while all is well. */
  get lastError(): unknown {
    return this.#lastError
  }

  /** Adds a prompt with the current time, and stores it in the background. */
  add(text: string, { cwd, sessionId }: PromptOrigin = {}): void {
    const kept = this.#isClosing ? undefined : acceptPrompt(text, this.#options.rules)
    if (kept === undefined || kept === this.#last) return
    this.#last = kept
    this.#waiting.push({ text: kept, createdAt: this.#options.clock.now(), cwd, sessionId })
    this.#storeSoon()
  }

  /**
   * Stores all prompts that were added before.
   * @throws HistoryUnavailableError once closed; the errors of `store` and of the check for secrets
   */
  flush(): Promise<void> {
    // Callers of an earlier flush got its error; its prompts are stored by this one.
    return this.#turns.run(() => this.#store())
  }

  /**
   * `flush` before a read: errors are only reported by `lastError` and `onError`.
   * @throws HistoryUnavailableError once closed
   */
  async flushToRead(): Promise<void> {
    this.#assertOpen()
    await this.#flushInBackground()
    this.#assertOpen()
  }

  /** Stores what was added before and closes the queue, even if storing fails. Later prompts are ignored. */
  async close(): Promise<void> {
    this.#isClosing = true
    try {
      await this.flush()
    } finally {
      this.#isClosed = true
    }
  }

  #assertOpen(): void {
    if (this.#isClosed) throw historyClosed()
  }

  #storeSoon(): void {
    if (this.#isDeferred) return
    this.#isDeferred = true
    const { defer = setImmediate } = this.#options
    defer(() => {
      this.#isDeferred = false
      // A flush may have stored them in the meantime, or the queue may be closed.
      if (this.#waiting.length > 0 && !this.#isClosed) void this.#flushInBackground()
    })
  }

  async #flushInBackground(): Promise<void> {
    try {
      await this.flush()
    } catch (error) {
      // `close` tries again, and reports errors to its caller.
      if (!this.#isClosing) this.#options.onError?.(error)
    }
  }

  async #store(): Promise<void> {
    this.#assertOpen()
    const { rules, store } = this.#options
    const waiting = this.#waiting.slice()
    try {
      const prompts = waiting.filter(({ text }) => !isSecret(text, rules))
      if (prompts.length > 0) await store(prompts)
      this.#waiting.splice(0, waiting.length)
      this.#lastError = undefined
    } catch (error) {
      this.#lastError = error
      throw error
    }
  }
}
