import type { IndexProgress, SessionIndex } from "@treelog/session-core/search"

/** How long an answer waits for an index that is being brought up to date. Milliseconds. */
const PATIENCE = 300

/** Brings an index up to date for those who ask it: one update at a time, whoever asks. */
export class IndexUpdates {
  readonly #index: SessionIndex
  readonly #signal: AbortSignal | undefined
  /** Why the last update failed; reported to whoever asks next. */
  #failure: { readonly error: unknown } | undefined
  #running: Promise<void> | undefined
  #progress: IndexProgress | undefined

  /** @param signal ends an update */
  constructor(index: SessionIndex, signal?: AbortSignal) {
    this.#index = index
    this.#signal = signal
  }

  /**
   * Waits for the index, but not for long.
   * @returns how far it is; undefined when it is up to date
   * @throws the error of an update that failed
   */
  async settled(): Promise<Pick<IndexProgress, "done" | "total"> | undefined> {
    if (!this.#failure) this.#running ??= this.#update()
    const isDone = !this.#running || (await Promise.race([this.#running.then(() => true), later(PATIENCE)]))
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure.error
    if (isDone) return undefined
    const { done = 0, total = 0 } = this.#progress ?? {}
    return { done, total }
  }

  async #update(): Promise<void> {
    try {
      await this.#index.update({
        signal: this.#signal,
        onProgress: (progress) => {
          this.#progress = progress
        },
      })
    } catch (error) {
      this.#failure = { error }
    } finally {
      this.#running = undefined
      this.#progress = undefined
    }
  }
}

function later(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds))
}
