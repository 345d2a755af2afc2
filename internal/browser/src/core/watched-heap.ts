import type { Page } from "playwright-core"

/** The most that a page's script had at any time while something ran: its heap, and the bytes that it holds outside of it. */
export async function peakHeap<T>(page: Page, work: () => Promise<T>): Promise<{ value: T; peakBytes: number }> {
  const session = await page.context().newCDPSession(page)
  let isRunning = true
  let peakBytes = 0
  const watch = async () => {
    do {
      const usage: { usedSize: number; backingStorageSize?: number } = await session.send("Runtime.getHeapUsage")
      peakBytes = Math.max(peakBytes, usage.usedSize + (usage.backingStorageSize ?? 0))
      await new Promise((resolve) => setTimeout(resolve, 5))
    } while (isRunning)
  }
  const watching = watch()
  try {
    const value = await work()
    return { value, peakBytes }
  } finally {
    isRunning = false
    await watching
    await session.detach()
  }
}
