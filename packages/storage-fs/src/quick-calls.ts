/** An answer that took longer came from a disk or a network. Milliseconds. */
const SLOW = 0.25
/** So many calls then go through the thread pool before one is made at once again. */
const IN_BACKGROUND = 64
/** How long the event loop may be kept from its other work. Milliseconds. */
const LONGEST_TURN = 4

/**
 * Decides how a call that asks the system about a file is made. Of a file that the system knows already it answers in
 * microseconds, and the way through the thread pool takes ten times as long; but where it has to ask a disk or a network
 * first, only that way does not stop the process.
 */
export class QuickCalls {
  readonly #now: () => number
  #background = 0
  #turn = 0

  /** @param now milliseconds from any point in time on */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  async call<T>(atOnce: () => T, inBackground: () => Promise<T>): Promise<T> {
    if (this.#background > 0) {
      this.#background -= 1
      return inBackground()
    }
    if (this.#turn > LONGEST_TURN) {
      this.#turn = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
    const begin = this.#now()
    try {
      return atOnce()
    } finally {
      const took = this.#now() - begin
      this.#turn += took
      if (took > SLOW) this.#background = IN_BACKGROUND
    }
  }
}
