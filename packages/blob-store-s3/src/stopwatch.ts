/** Measures a time limit. A process that was stopped, or a machine that slept, does not stop it; a clock that is set back does not either. */
export class Stopwatch {
  readonly #wall = Date.now()
  readonly #steady = performance.now()

  /** Milliseconds since it was made. */
  get ms(): number {
    return Math.max(Date.now() - this.#wall, performance.now() - this.#steady)
  }
}
