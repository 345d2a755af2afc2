import type { PromptAnswer, PromptRequest } from "./prompt-state.js"

type Find = (request: PromptRequest) => Promise<PromptAnswer>

/** Searches as you type: one search at a time, and after it only the newest of what was asked in the meantime. */
export class LiveSearch {
  readonly #find: Find
  #next: PromptRequest | undefined
  #isBusy = false

  constructor(find: Find) {
    this.#find = find
  }

  /**
   * @param show gets the answer, or nothing where something newer is asked
   * @throws what the search throws
   */
  async ask(request: PromptRequest, show: (answer: PromptAnswer) => void): Promise<void> {
    this.#next = request
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      for (let asked = this.#take(); asked; asked = this.#take()) {
        const answer = await this.#find(asked)
        if (!this.#next) show(answer)
      }
    } finally {
      this.#isBusy = false
    }
  }

  #take(): PromptRequest | undefined {
    const next = this.#next
    this.#next = undefined
    return next
  }
}
