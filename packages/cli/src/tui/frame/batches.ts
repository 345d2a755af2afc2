/** The time between two batches, in milliseconds: a screen that changes more often is unreadable. */
const WAIT_MS = 100
/** The largest share of the time that handling batches may take. */
const SHARE = 0.2

/** Collects items and passes them on in batches; the first item at once. */
export class Batches<Item> {
  readonly #take: (items: readonly Item[]) => void
  #waiting: Item[] = []
  #timer: NodeJS.Timeout | undefined
  /** Not before this time of `performance.now()`. */
  #next = 0

  constructor(take: (items: readonly Item[]) => void) {
    this.#take = take
  }

  add(item: Item): void {
    this.#waiting.push(item)
    if (this.#timer) return
    const wait = this.#next - performance.now()
    if (wait <= 0) this.flush()
    else this.#timer = setTimeout(() => this.flush(), wait)
  }

  /** Hands on what waits. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    const items = this.#waiting
    this.#waiting = []
    const began = performance.now()
    this.#take(items)
    const ended = performance.now()
    this.#next = ended + Math.max(WAIT_MS, (ended - began) / SHARE)
  }
}
