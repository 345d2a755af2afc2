/** A source of the current time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

/** The clock of the system. */
export const systemClock: Clock = { now: () => Date.now() }
