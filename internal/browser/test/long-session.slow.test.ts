import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { generateSession } from "@treelog-internal/test-kit/generator"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { noBrowser } from "../src/launch.js"
import { watchedPages } from "../src/watched-page.js"

const ENTRIES = 100_000

describe.skipIf(noBrowser)("a session of 100,000 entries", () => {
  const open = watchedPages()
  let folder = ""
  let file = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "treelog-long-"))
    file = join(folder, "long.jsonl")
    const lines = generateSession({ seed: 5, style: "pi", entries: ENTRIES, branching: 0, toolOutput: 60, images: 0 })
    await pipeline(Readable.from(lines), createWriteStream(file))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test("is on the screen before the rest of it is read, and can be scrolled to its end.", async () => {
    const { page, alarms } = await open((await builtPage()).url)
    // Notes how far the reading is when the first entries are there.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        const count = document.querySelectorAll("article.entry").length
        if (count < 3) return
        document.body.dataset.first = document.querySelector("[role=feed]")?.getAttribute("aria-busy") ?? ""
        observer.disconnect()
      }).observe(document.body, { childList: true, subtree: true })
    })
    await page.setInputFiles("input[data-chooses=files]", file)
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(await page.getAttribute("body", "data-first")).toBe("true")
    expect(await page.textContent(".session-head")).toContain("Entries100,000")
    const [first] = await seen(page)
    for (const part of [0.25, 0.5, 0.75]) {
      await page.locator("[role=feed]").evaluate((feed, at) => feed.scrollTo(0, feed.scrollHeight * at), part)
      await expect.poll(() => seen(page).then((ids) => ids.length)).toBeGreaterThan(1)
      expect(await seen(page)).not.toContain(first)
    }
    // Few of them are in the document at any time.
    expect(await page.locator("article").count()).toBeLessThan(150)
    await page.locator("[role=feed]").focus()
    await page.keyboard.press("End")
    const last = await page.locator("article.entry").first().getAttribute("aria-setsize")
    await expect.poll(() => page.locator(`article[aria-posinset="${last}"]`).isVisible()).toBe(true)
    await page.keyboard.press("t")
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest(".tree") !== null)).toBe(true)
    await page.keyboard.press("End")
    await page.keyboard.press("Home")
    await expect.poll(() => page.locator("article[data-current=true]").isVisible()).toBe(true)
    expect(alarms).toEqual([])
  })
})

/** The entries in the middle of the screen. */
function seen(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("article.entry")]
      .filter((entry) => {
        const { top, bottom } = entry.getBoundingClientRect()
        return bottom > 250 && top < 800
      })
      .map((entry) => entry.dataset.id ?? ""),
  )
}
