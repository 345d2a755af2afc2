/** Runs actions one after the other, in the order in which they were asked for. One that fails stops no other. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(action)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
