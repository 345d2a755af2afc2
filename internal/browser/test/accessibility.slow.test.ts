import {
  assistantMessage,
  chain,
  messageEntry,
  sessionText,
  testHeader,
  toolResultMessage,
} from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { seriousFaults } from "../src/accessibility.js"
import { builtPage } from "../src/built-page.js"
import { openSession } from "../src/give-files.js"
import { noBrowser } from "../src/launch.js"
import { picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { sampleStores } from "../src/sample-stores.js"
import { serveStoresForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const sample = sampleSession(picture(20, 20, [1, 2, 3]).toString("base64"), "0".repeat(64))

const PAGES = [
  ["wide and light", 1_600, 1_000, "light"],
  ["wide and dark", 1_600, 1_000, "dark"],
  ["narrow and light", 390, 844, "light"],
  ["narrow and dark", 390, 844, "dark"],
] as const

const open = watchedPages()

describe.skipIf(noBrowser)("axe finds nothing serious", () => {
  test.each(PAGES)("in a page that is %s.", async (_, width, height, colorScheme) => {
    // The policy of the page allows no other scripts, such as axe.
    const { page } = await open((await builtPage()).url, { viewport: { width, height }, colorScheme, bypassCSP: true })
    expect(await seriousFaults(page)).toEqual([])
    await openSession(page, sample)
    await page.keyboard.press("e")
    expect(await seriousFaults(page)).toEqual([])
    await page.locator("[role=feed]").evaluate((feed) => feed.scrollTo(0, feed.scrollHeight / 2))
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press("/")
    await page.keyboard.type("the")
    await page.waitForSelector("[role=option]")
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press("Escape")
    await page.keyboard.press("c")
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press("?")
    expect(await seriousFaults(page)).toEqual([])
  })
})

test.skipIf(noBrowser).each(["light", "dark"] as const)(
  "axe finds nothing serious in the colours of output, %s.",
  async (colorScheme) => {
    // Tall enough for all rows: those that are far outside of the screen are not drawn.
    const viewport = { width: 1_200, height: 4_000 }
    const { page } = await open((await builtPage()).url, { viewport, colorScheme, bypassCSP: true })
    const codes = [1, 2, 3, 4, 7, 9, ...Array.from({ length: 8 }, (_, hue) => [30 + hue, 40 + hue, 90 + hue]).flat()]
    const output = codes.map((code) => `\u001b[${code}m code ${code} \u001b[0m`).join("\n")
    const run = (id: string, parentId: string | null, exitCode: number) =>
      messageEntry(id, parentId, {
        role: "bashExecution",
        command: "colours",
        output,
        exitCode,
        cancelled: false,
        truncated: false,
        timestamp: 1,
      })
    const content = [{ type: "toolCall", id: "call-1", name: "bash", arguments: { command: "colours" } }]
    const failed = chain(
      messageEntry("one", null, assistantMessage("", { content } as never)),
      messageEntry("two", null, toolResultMessage(output, { isError: true } as never)),
    )
    await openSession(page, sessionText(testHeader(), ...failed, run("three", "two", 0), run("four", "three", 1)))
    await page.keyboard.press("e")
    await expect.poll(() => page.locator(".output [class^=ansi-]").count()).toBe(90)
    expect(await seriousFaults(page)).toEqual([])
  },
)

/** What somebody who has zoomed in could not reach, and what moves although the reader wants less of that. */
function outOfReach(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = document.documentElement.scrollWidth > innerWidth ? ["the page is wider than the window"] : []
    for (const element of document.querySelectorAll("button, a, input, select, summary")) {
      const { left, right, width } = element.getBoundingClientRect()
      const isHidden = width === 0 || element.closest(".side, .skip") !== null || !element.checkVisibility()
      const name = element.getAttribute("aria-label") ?? element.textContent ?? ""
      if (!isHidden && (left < -1 || right > innerWidth + 1)) found.push(`${name} is cut`)
      const { transitionDuration, animationName } = getComputedStyle(element)
      if (transitionDuration !== "0s" || animationName !== "none") found.push(`${name} moves`)
    }
    return found
  })
}

describe.skipIf(noBrowser)("320 pixels wide, as at 400 % zoom, with reduced motion", () => {
  const options = { viewport: { width: 320, height: 256 }, reducedMotion: "reduce", bypassCSP: true } as const

  test("everything of the page of all sessions can be reached.", async () => {
    const { url } = await serveStoresForTest(await sampleStores({ count: 40 }))
    const { page } = await open(url, options)
    for (const [section, ready] of [
      ["sessions", ".session-row"],
      ["sessions?q=nobody", ".no-match"],
      ["search?q=retry", ".found-hit"],
      ["usage", ".calendar"],
    ]) {
      await page.goto(`${url}#${section}`)
      await page
        .locator(ready as string)
        .first()
        .waitFor()
      expect(await outOfReach(page)).toEqual([])
      expect(await seriousFaults(page)).toEqual([])
    }
  })

  test("everything of a session can be reached.", async () => {
    const { page } = await open((await builtPage()).url, options)
    expect(await outOfReach(page)).toEqual([])
    await openSession(page, sample)
    for (const key of ["", "e", "c", "c", "?"]) {
      if (key !== "") await page.keyboard.press(key)
      await page.waitForTimeout(100)
      expect(await outOfReach(page)).toEqual([])
      expect(await seriousFaults(page)).toEqual([])
    }
  })
})
