import type { IndexProgress, SessionIndex } from "@treelog/session-core/session-index"

/** How long an answer waits for an index that is being brought up to date. Milliseconds. */
const PATIENCE = 300

/** Brings an index up to date for those who ask it: one update at a time, whoever asks. */
export class IndexUpdates {
  readonly #index: SessionIndex
  #running: Promise<void> | undefined
  #progress: IndexProgress | undefined

  constructor(index: SessionIndex) {
    this.#index = index
  }

  /**
   * Waits for the index, but not for long.
   * @returns how far it is; undefined when it is up to date
   * @throws the error of an update that failed
   */
  async settled(): Promise<Pick<IndexProgress, "done" | "total"> | undefined> {
    this.#running ??= this.#update()
    const isDone = await Promise.race([this.#running.then(() => true), later(PATIENCE)])
    if (isDone) return undefined
    const { done = 0, total = 0 } = this.#progress ?? {}
    return { done, total }
  }

  async #update(): Promise<void> {
    try {
      await this.#index.update({
        onProgress: (progress) => {
          this.#progress = progress
        },
      })
    } finally {
      this.#running = undefined
      this.#progress = undefined
    }
  }
}

function later(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds))
}
