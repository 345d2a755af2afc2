import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { noBrowser } from "../src/launch.js"
import { manySessions } from "../src/many-sessions.js"
import { serveStoresForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const COUNT = 50_000
/** Elements of the page, whatever is in the stores. */
const MOST_ELEMENTS = 1_500
/** Bytes of the page's JavaScript. */
const MOST_MEMORY = 120_000_000

describe.skipIf(noBrowser)("the page of 50,000 sessions", () => {
  const open = watchedPages()

  async function openMany() {
    const { url } = await serveStoresForTest(manySessions(COUNT, Date.now()))
    const opened = await open(url)
    await expect.poll(() => opened.page.locator(".count").textContent()).toBe("50,000 sessions")
    return opened
  }

  const elements = (page: Page): Promise<number> => page.evaluate(() => document.querySelectorAll("*").length)
  const focused = (page: Page): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.getAttribute("href"))

  test("shows them all by keys alone, to the far end and back, with a bounded number of elements", async () => {
    const { page, alarms } = await openMany()
    await page.locator("#find").focus()
    await page.keyboard.press("ArrowDown")
    await expect.poll(() => focused(page)).toBe("open/many/session-0/")
    await page.keyboard.press("End")
    await expect.poll(() => focused(page)).toBe("open/many/session-49999/")
    expect(await page.locator(".session-row").last().textContent()).toContain("Question 49999")
    expect(await page.locator(".session-row").last().isVisible()).toBe(true)
    expect(await elements(page)).toBeLessThan(MOST_ELEMENTS)
    await page.keyboard.press("PageUp")
    await expect.poll(() => focused(page)).toBe("open/many/session-49987/")
    await page.keyboard.press("Home")
    await expect.poll(() => focused(page)).toBe("open/many/session-0/")
    await page.locator("#find").fill("question 31234")
    await expect.poll(() => page.locator(".session-row").count()).toBe(1)
    expect(alarms).toEqual([])
  })

  test("stays as small when it is scrolled through, and keeps what it shows in bounded memory", async () => {
    const { page, alarms } = await openMany()
    const list = page.locator(".sessions")
    const first = (): Promise<string | null> => page.locator(".session-row").first().getAttribute("href")
    let shown = await first()
    for (const share of [0.1, 0.35, 0.6, 0.85, 1, 0.5, 0]) {
      await list.evaluate((element, at) => {
        element.scrollTop = element.scrollHeight * at
      }, share)
      await expect.poll(first).not.toBe(shown)
      shown = await first()
      expect(await elements(page)).toBeLessThan(MOST_ELEMENTS)
    }
    const session = await page.context().newCDPSession(page)
    await session.send("HeapProfiler.collectGarbage")
    const { usedSize } = await session.send("Runtime.getHeapUsage")
    expect(usedSize).toBeLessThan(MOST_MEMORY)
    expect(alarms).toEqual([])
  })
  test("keeps where it was scrolled to when a timer comes before the event of the scrolling", async () => {
    const { page } = await openMany()
    const position = await page.locator(".sessions").evaluate(async (element) => {
      const { setTimeout } = window
      let started = (): void => {}
      window.setTimeout = ((act: () => void, delay: number) => {
        started = act
        return setTimeout(act, delay)
      }) as typeof window.setTimeout
      const scrolled = new Promise((done) => element.addEventListener("scroll", done, { once: true }))
      element.scrollTop = 10_000
      await scrolled
      element.scrollTop = 20_000
      started()
      await new Promise(requestAnimationFrame)
      window.setTimeout = setTimeout
      return element.scrollTop
    })
    expect(position).toBe(20_000)
  })
})
