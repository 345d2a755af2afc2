type Action<Item, Result> = (item: Item, worker: number) => Promise<Result>

/** Does the same with items in the background, so many at a time, and hands out what comes of them, in any order. */
export class Background<Item, Result> {
  readonly #workers: number[]
  readonly #action: Action<Item, Result>
  readonly #waiting: Item[] = []
  #results: Result[] = []
  #running = 0
  #failure: { readonly error: unknown } | undefined
  #wake = (): void => {}

  /** @param action gets the number of its worker, below `workers`, which no other action has at that time */
  constructor(workers: number, action: Action<Item, Result>) {
    this.#workers = Array.from({ length: workers }, (_, index) => workers - 1 - index)
    this.#action = action
  }

  /** How many items were added of which nothing has been handed out. */
  get pending(): number {
    return this.#waiting.length + this.#running + this.#results.length
  }

  add(item: Item): void {
    this.#waiting.push(item)
    this.#begin()
  }

  /** What has come since. @throws the first failure; nothing more is begun then */
  take(): Result[] {
    if (this.#failure) throw this.#failure.error
    const results = this.#results
    this.#results = []
    return results
  }

  /** The same, when there is something; nothing where nothing is pending. */
  async next(): Promise<Result[]> {
    while (this.#running > 0 && this.#results.length === 0 && !this.#failure)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    return this.take()
  }

  /** Begins nothing more, and resolves when what was begun has ended. */
  async stop(): Promise<void> {
    this.#waiting.length = 0
    while (this.#running > 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }

  #begin(): void {
    while (!this.#failure && this.#waiting.length > 0) {
      const worker = this.#workers.pop()
      if (worker === undefined) return
      this.#run(this.#waiting.shift() as Item, worker)
    }
  }

  async #run(item: Item, worker: number): Promise<void> {
    this.#running += 1
    try {
      const result = await this.#action(item, worker)
      this.#results.push(result)
    } catch (error) {
      this.#failure ??= { error }
    }
    this.#running -= 1
    this.#workers.push(worker)
    this.#begin()
    this.#wake()
  }
}
