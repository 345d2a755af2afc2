/** An answer that took longer came from a disk or a network. Milliseconds. */
const SLOW = 0.5
/** After so many slow ones, one after the other, the next calls do not wait for theirs; one alone may be due to a busy machine. */
const TOO_MANY = 2
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
  #slow = 0
  #background = 0
  #turn = 0

  /** @param now milliseconds from any point in time on */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  call<T>(atOnce: () => T, inBackground: () => Promise<T>): Promise<T> {
    if (this.#background > 0) {
      this.#background -= 1
      return inBackground()
    }
    if (this.#turn <= LONGEST_TURN) return this.#call(atOnce)
    this.#turn = 0
    return new Promise((resolve) => setImmediate(resolve)).then(() => this.#call(atOnce))
  }

  #call<T>(atOnce: () => T): Promise<T> {
    const begin = this.#now()
    try {
      return Promise.resolve(atOnce())
    } catch (error) {
      return Promise.reject(error)
    } finally {
      this.#took(this.#now() - begin)
    }
  }

  #took(milliseconds: number): void {
    this.#turn += milliseconds
    this.#slow = milliseconds > SLOW ? this.#slow + 1 : 0
    if (this.#slow < TOO_MANY) return
    this.#background = IN_BACKGROUND
    // The next one that is made at once decides alone.
    this.#slow = TOO_MANY - 1
  }
}
