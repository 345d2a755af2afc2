/** Interval for asking a storage that cannot be watched. Milliseconds. */
const POLL_INTERVAL = 1_000

/** Yields again and again until the signal aborts. @param least how long to wait at least, asked each time. Milliseconds */
export async function* polls(signal: AbortSignal, least: () => number = () => 0): AsyncGenerator<void> {
  while (!signal.aborted) {
    yield
    await delay(Math.max(POLL_INTERVAL, least()), signal)
  }
}

/** Resolves after so many milliseconds, or when the signal aborts. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve(undefined)
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener("abort", end, { once: true })
    if (signal.aborted) end()
  })
}
