import { assistantEntry, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { seriousFaults } from "../src/accessibility.js"
import { builtPage } from "../src/built-page.js"
import { openSession } from "../src/give-files.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()

const forked = sessionText(
  testHeader(),
  userEntry("ask", null, "Which cache do we take?"),
  assistantEntry("both", "ask", "There are two"),
  userEntry("left", "both", "Take the first"),
  assistantEntry("left-end", "left", "The first it is"),
  userEntry("right", "both", "Take the second"),
  assistantEntry("right-end", "right", "The second it is"),
)

async function show(text = forked, options: Parameters<typeof open>[1] = {}) {
  const watched = await open((await builtPage()).url, options)
  await openSession(watched.page, text)
  return watched
}

const columns = (page: Page) => page.locator(".beside-column [role=feed]")
const idsIn = (page: Page, column: number) =>
  columns(page)
    .nth(column)
    .locator("article[data-id]")
    .evaluateAll((articles) => articles.map((article) => (article as HTMLElement).dataset.id))

describe.skipIf(noBrowser)("two branches", () => {
  test("are shown side by side from where they diverge, and one again", async () => {
    const { page, alarms } = await show()
    await page.getByRole("button", { name: "Show both side by side" }).click()
    await expect.poll(() => columns(page).count()).toBe(2)
    expect(await idsIn(page, 0)).toEqual(["right", "right-end"])
    expect(await idsIn(page, 1)).toEqual(["left", "left-end"])
    expect(await page.textContent(".beside-bar")).toContain("There are two")
    const ends = await page
      .locator(".beside-bar, .beside-column, .column-head, .beside-column article")
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeLessThanOrEqual(1_200)
    await page.getByRole("button", { name: "Choose this branch" }).click()
    await expect.poll(() => idsIn(page, 0)).toEqual(["left", "left-end"])
    await page.getByRole("button", { name: "Close", exact: true }).click()
    await expect.poll(() => page.textContent("[role=feed]")).toContain("Which cache do we take?")
    expect(await columns(page).count()).toBe(0)
    expect(alarms).toEqual([])
  })

  test("are chosen in the tree by the keyboard alone, and kept by the address", async () => {
    const { page, alarms } = await show()
    await page.keyboard.press("j")
    await page.keyboard.press("b")
    await expect.poll(() => page.textContent(".notice")).toContain("Choose another branch in the tree")
    for (let step = 0; step < 8 && (await columns(page).count()) === 0; step++) await page.keyboard.press("ArrowDown")
    await expect.poll(() => columns(page).count()).toBe(2)
    expect(await idsIn(page, 1)).toEqual(["right", "right-end"])
    expect(page.url()).toMatch(/#left\?branch=left-end&beside=right-end$/)
    await page.keyboard.press("b")
    await expect.poll(() => columns(page).count()).toBe(0)
    expect(page.url()).not.toContain("beside")
    await page.evaluate(() => {
      location.hash = "#right-end?branch=left-end&beside=right-end"
    })
    await expect.poll(() => idsIn(page, 0)).toEqual(["left", "left-end"])
    await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("right-end")
    expect(alarms).toEqual([])
  })

  test("are shown one at a time on a phone, with a switch", async () => {
    const { page } = await show(forked, { viewport: { width: 390, height: 844 } })
    await page.getByRole("button", { name: "Show both side by side" }).click()
    await expect.poll(() => columns(page).count()).toBe(1)
    expect(await idsIn(page, 0)).toEqual(["right", "right-end"])
    await page.getByRole("button", { name: "Other branch" }).click()
    await expect.poll(() => idsIn(page, 0)).toEqual(["left", "left-end"])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await page.locator(".beside-bar").isVisible()).toBe(true)
  })

  test("come from a tap on a phone, where the buttons of an entry appear when it gets the focus", async () => {
    const sample = sampleSession(picture(20, 20, [1, 2, 3]).toString("base64"), "0".repeat(64))
    const { page } = await show(sample, { viewport: { width: 390, height: 844 }, hasTouch: true })
    await page.getByRole("button", { name: "Show both side by side" }).first().tap()
    await expect.poll(() => columns(page).count()).toBe(1)
  })

  test("says that there is nothing to compare in a session with one branch", async () => {
    const { page } = await show(sessionText(testHeader(), userEntry("only", null, "hello")))
    await page.keyboard.press("b")
    await expect.poll(() => page.textContent(".notice")).toContain("only one branch")
  })

  test.each([
    ["light", 1_440, 900],
    ["dark", 1_440, 900],
    ["light", 390, 844],
    ["dark", 390, 844],
  ] as const)("have nothing that axe finds serious, %s, %i wide", async (colorScheme, width, height) => {
    const { page } = await show(forked, { colorScheme, viewport: { width, height }, bypassCSP: true })
    await page.getByRole("button", { name: "Show both side by side" }).click()
    await columns(page).first().waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })

  test("run and fetch nothing, whatever is said in them", async () => {
    const entries = HOSTILE_STRINGS.flatMap((text, index) => [
      userEntry(`${text} left ${index}`, index === 0 ? "ask" : `${HOSTILE_STRINGS[index - 1]} left ${index - 1}`, text),
      userEntry(
        `${text} right ${index}`,
        index === 0 ? "ask" : `${HOSTILE_STRINGS[index - 1]} right ${index - 1}`,
        text,
      ),
    ])
    const { page, alarms, requests } = await show(
      sessionText(testHeader(), userEntry("ask", null, "which"), ...entries),
    )
    await page.getByRole("button", { name: "Show both side by side" }).first().click()
    await expect.poll(() => columns(page).count()).toBe(2)
    for (const column of [0, 1]) {
      await columns(page).nth(column).focus()
      await page.keyboard.press("End")
      await expect.poll(() => columns(page).nth(column).locator("article").count()).toBeGreaterThan(3)
    }
    expect([...alarms, ...requests]).toEqual([])
  })
})
