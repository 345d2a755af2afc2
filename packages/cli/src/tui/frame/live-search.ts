/** Searches as you type: one search at a time, and after it only the newest of what was asked in the meantime. */
export class LiveSearch<Request extends object, Answer> {
  readonly #find: (request: Request) => Promise<Answer>
  #next: Request | undefined
  #isBusy = false

  constructor(find: (request: Request) => Promise<Answer>) {
    this.#find = find
  }

  /**
   * @param show gets the answer, or nothing where something newer is asked
   * @throws what the search throws
   */
  async ask(request: Request, show: (answer: Answer) => void): Promise<void> {
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

  #take(): Request | undefined {
    const next = this.#next
    this.#next = undefined
    return next
  }
}
