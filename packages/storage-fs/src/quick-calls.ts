/** An answer that took longer came from a disk or a network. Milliseconds. */
const SLOW = 0.5
/** The first ones take longer anywhere, since they load code. */
const FIRST = 8
/** After so many slow ones, one after the other, the next calls do not wait for theirs; one alone may be due to a busy machine. */
const TOO_MANY = 2
/** So many calls then go through the thread pool before one is made at once again. */
const IN_BACKGROUND = 64
/** Of many calls in a row, the time of so many together is taken: taking it costs as well. */
const TIMED_TOGETHER = 8
/** How long the event loop may be kept from its other work. Milliseconds. */
const LONGEST_TURN = 4

/**
 * Decides how a call that asks the system about a file is made. Of a file that the system knows already it answers in
 * microseconds, and the way through the thread pool takes ten times as long; but where it has to ask a disk or a network
 * first, only that way does not stop the process.
 */
export class QuickCalls {
  readonly #now: () => number
  #made = 0
  #slow = 0
  #background = 0
  #turn = 0

  /** @param now milliseconds from any point in time on */
  constructor(now: () => number = monotonic) {
    this.#now = now
  }

  /** @param slow longer than this is slow, in milliseconds: for what gives much at once */
  call<T>(atOnce: () => T, inBackground: () => Promise<T>, slow = SLOW): Promise<T> {
    if (this.#background > 0) {
      this.#background -= 1
      return inBackground()
    }
    if (this.#turn <= LONGEST_TURN) return this.#call(atOnce, slow)
    return this.#nextTurn().then(() => this.#call(atOnce, slow))
  }

  /** Makes the same call for many items. Nothing waits for what can be had at once. */
  async all<Item, T>(
    items: readonly Item[],
    atOnce: (item: Item) => T,
    inBackground: (item: Item) => Promise<T>,
  ): Promise<T[]> {
    const results: T[] = []
    while (results.length < items.length) {
      if (this.#background > 0) {
        const some = items.slice(results.length, results.length + this.#background)
        this.#background -= some.length
        results.push(...(await Promise.all(some.map(inBackground))))
      } else {
        if (this.#turn > LONGEST_TURN) await this.#nextTurn()
        this.#callSome(items, atOnce, results)
      }
    }
    return results
  }

  /** Until they take too long, some of them or all together. */
  #callSome<Item, T>(items: readonly Item[], atOnce: (item: Item) => T, results: T[]): void {
    while (results.length < items.length && this.#background === 0 && this.#turn <= LONGEST_TURN) {
      const begin = this.#now()
      for (const item of items.slice(results.length, results.length + TIMED_TOGETHER)) results.push(atOnce(item))
      this.#took(this.#now() - begin, TIMED_TOGETHER * SLOW)
    }
  }

  async #nextTurn(): Promise<void> {
    this.#turn = 0
    await new Promise((resolve) => setImmediate(resolve))
  }

  #call<T>(atOnce: () => T, slow: number): Promise<T> {
    const begin = this.#now()
    try {
      return Promise.resolve(atOnce())
    } catch (error) {
      return Promise.reject(error)
    } finally {
      this.#took(this.#now() - begin, slow)
    }
  }

  #took(milliseconds: number, slow: number): void {
    this.#made += 1
    this.#turn += milliseconds
    this.#slow = milliseconds > slow && this.#made > FIRST ? this.#slow + 1 : 0
    if (this.#slow < TOO_MANY) return
    this.#background = IN_BACKGROUND
    // The next one that is made at once decides alone.
    this.#slow = TOO_MANY - 1
  }
}

/** What `performance.now` gives, which takes some time to load. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
