/** Measures time, and waits. */
export interface S3Timer {
  /** Starts to measure; the result returns how long ago that was, in milliseconds. */
  start(): () => number
  /** Resolves after so many milliseconds. */
  sleep(ms: number): Promise<void>
}

/** The timer of the system. It counts while a process is stopped or a machine sleeps, and a clock that is set back makes no difference. */
export const systemTimer: S3Timer = {
  start() {
    const [wall, steady] = [Date.now(), performance.now()]
    return () => Math.max(Date.now() - wall, performance.now() - steady)
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
