/** Runs actions one at a time, in the order in which they were requested. One that fails stops no other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Settles as `action` does; its error reaches only the caller. */
  run<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(action)
    this.#last = Promise.allSettled([turn])
    return turn
  }
}
