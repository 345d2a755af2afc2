/** Waits, and then until the page is visible; ends when the signal aborts. @param time milliseconds */
export async function pause(time: number, signal: AbortSignal): Promise<void> {
  await untilEvent(signal, (done) => {
    const timer = setTimeout(done, time)
    return () => clearTimeout(timer)
  })
  while (document.hidden && !signal.aborted)
    await untilEvent(signal, (done) => {
      document.addEventListener("visibilitychange", done)
      return () => document.removeEventListener("visibilitychange", done)
    })
}

/** @param listen starts to wait, and returns what ends it */
function untilEvent(signal: AbortSignal, listen: (done: () => void) => () => void): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      stop()
      signal.removeEventListener("abort", done)
      resolve()
    }
    const stop = listen(done)
    signal.addEventListener("abort", done)
  })
}
