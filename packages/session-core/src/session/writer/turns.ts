/** Runs one piece of work at a time, in the order in which they were asked for. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** What `work` throws reaches only its caller. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = Promise.allSettled([result])
    return result
  }
}
