import type { Clock } from "../ports/clock.js"

/** The time as entries carry it. Formatting it takes longer than all else that is done for a short entry, and many come in one millisecond. */
export class Timestamps {
  readonly #clock: Clock
  #millis = Number.NaN
  #text = ""

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** ISO 8601. */
  now(): string {
    const millis = this.#clock.now()
    if (millis !== this.#millis) {
      this.#text = new Date(millis).toISOString()
      this.#millis = millis
    }
    return this.#text
  }
}
