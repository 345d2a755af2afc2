/** Gives out a number of things, one to each who asks; who comes when none is left waits for his turn. */
export class Pool<T> {
  readonly #make: () => T
  readonly #free: T[] = []
  #unmade: number
  readonly #waiting: ((thing: T) => void)[] = []

  constructor(count: number, make: () => T) {
    this.#unmade = count
    this.#make = make
  }

  async with<Result>(action: (thing: T) => Promise<Result>): Promise<Result> {
    const thing = this.#take() ?? (await new Promise<T>((resolve) => this.#waiting.push(resolve)))
    try {
      return await action(thing)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(thing)
      else this.#free.push(thing)
    }
  }

  #take(): T | undefined {
    const free = this.#free.pop()
    if (free !== undefined || this.#unmade === 0) return free
    this.#unmade -= 1
    return this.#make()
  }
}
