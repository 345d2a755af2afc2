import type { Clock } from "@treelog/session-core"

/** A clock that a test moves. */
export interface TestClock extends Clock {
  /** What the next `now()` gives. Milliseconds since 1970. */
  time: number
}

export const TEST_START = Date.UTC(2026, 2, 7, 14)

/** Starts at 2026-03-07T14:00:00.000Z and continues by `stepMs` each time that it is asked. */
export function testClock({ start = TEST_START, stepMs = 1000 } = {}): TestClock {
  const clock: TestClock = {
    time: start,
    now() {
      const now = clock.time
      clock.time += stepMs
      return now
    },
  }
  return clock
}

/** The ISO timestamp so many seconds after the clock's start. */
export function testTime(seconds = 0): string {
  return new Date(TEST_START + seconds * 1000).toISOString()
}
