import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { noUsage } from "@treelog/session-core/session-index"
import { serveStores } from "@treelog/viewer"
import type { Page } from "playwright-core"
import { afterEach, describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { noBrowser } from "../src/launch.js"
import { sampleStores } from "../src/sample-stores.js"
import { watchedPages } from "../src/watched-page.js"

const TOKEN = "a-token-for-the-tests"
const open = watchedPages()
const running: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((served) => served.close()))
})

async function serve(stores: Parameters<typeof serveStores>[0]["stores"]): Promise<string> {
  const served = await serveStores({ stores, token: TOKEN, port: 0, page: (await builtPage()).html })
  running.push(served)
  return served.url
}

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

async function seriousFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axe)
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }>("axe.run({ resultTypes: ['violations'] })")
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

describe.skipIf(noBrowser)("the page of all sessions", () => {
  test("lists the sessions of all stores, the newest first, and opens one with the next and the previous of the list", async () => {
    const url = await serve(await sampleStores({ count: 60 }))
    const { page, alarms, requests } = await open(url)
    await page.waitForSelector(".session-row")
    await expect.poll(() => page.locator("body").textContent()).toContain("60 sessions")
    await page.locator(".session-row").nth(1).click()
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(page.url()).toMatch(/\/open\/(treelog|pi|claude-code)\/5e40/)
    expect(alarms).toEqual([])
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([])
  })

  test("keeps its filters in the address", async () => {
    const url = await serve(await sampleStores({ count: 60 }))
    const { page } = await open(`${url}#sessions?store=pi`)
    await page.waitForSelector(".session-row")
    expect(new Set(await page.locator(".session-row").allTextContents()).size).toBeGreaterThan(0)
    for (const text of await page.locator(".session-row").allTextContents()) expect(text).toContain("pi")
    await page.locator("#find").fill("retry")
    await expect.poll(() => page.url()).toContain("q=retry")
    const shown = await page.locator(".session-row").count()
    await page.reload()
    await page.waitForSelector(".session-row")
    expect(await page.locator(".session-row").count()).toBe(shown)
  })

  test("finds what the indexes find, and leads to the entry", async () => {
    const stores = await sampleStores({ count: 60 })
    const url = await serve(stores)
    const { page, alarms } = await open(`${url}#search?q=endpoints`)
    await page.waitForSelector(".found-hit")
    let hits = 0
    for (const { index } of stores)
      for (const { hits: found } of (await index.search({ terms: [{ text: "endpoints" }], limit: 500 })).sessions)
        hits += found.length
    await expect.poll(async () => (await page.locator("body").textContent())?.includes(`${hits} hits in`)).toBe(true)
    await page.locator(".found-hit").first().click()
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(page.url()).toContain("/open/")
    expect(alarms).toEqual([])
  })

  test("sums what the indexes sum", async () => {
    const stores = await sampleStores({ count: 60 })
    const { page, alarms } = await open(`${await serve(stores)}#usage?by=model`)
    await page.waitForSelector(".sums tr")
    const total = noUsage()
    for (const { index } of stores)
      for (const { totals } of await index.usage({})) {
        total.cost += totals.cost
        total.calls += totals.calls
      }
    const text = await page.locator("body").textContent()
    expect(text).toContain(`$${total.cost.toFixed(2)}`)
    expect(text).toContain(String(total.calls))
    expect(alarms).toEqual([])
  })

  test("without an index, lists and opens sessions, and says what is missing", async () => {
    const stores = (await sampleStores({ count: 5 })).map(({ name, sessions }) => ({ name, sessions }))
    const { page } = await open(await serve(stores))
    await page.waitForSelector(".session-row")
    await page.goto(`${page.url()}#search?q=retry`)
    await expect.poll(() => page.locator("body").textContent()).toMatch(/index|SQLite/i)
  })

  test("shows hostile names and texts as text, and fetches nothing for them", async () => {
    const [store] = await sampleStores({ count: 1, names: ["treelog"] })
    const evil = `<img src=x onerror="tripped('img')"><script>tripped('script')</script>\u202egnp.exe`
    const session = await (store as NonNullable<typeof store>).sessions.create(`/home/${evil}`, { id: "evil" })
    session.appendMessage({ role: "user", content: `${evil} needle`, timestamp: Date.now() })
    session.appendSessionInfo(evil)
    await session.close()
    const url = await serve([store as NonNullable<typeof store>])
    const { page, alarms, requests } = await open(url)
    await page.waitForSelector(".session-row")
    await page.goto(`${url}#search?q=needle`)
    await page.waitForSelector(".found-hit")
    await page.locator("#find").fill(evil)
    await page.keyboard.press("Escape")
    await page.goto(`${url}#usage?project=${encodeURIComponent(evil)}`)
    await page.waitForTimeout(200)
    expect(await page.locator("img, script[src]").count()).toBe(0)
    expect(alarms).toEqual([])
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([])
  })

  test("shows a session that is made while it is open", async () => {
    const stores = await sampleStores({ count: 3 })
    const { page } = await open(await serve(stores))
    await page.waitForSelector(".session-row")
    const session = await (stores[0] as (typeof stores)[number]).sessions.create("/home/ada/shop", { id: "new-one" })
    session.appendMessage({ role: "user", content: "Just started", timestamp: Date.now() })
    await session.close()
    await expect.poll(() => page.locator(".session-row").first().textContent()).toContain("Just started")
  })

  test("holds only the rows in sight of many sessions, and is used by keys alone", async () => {
    const { page, alarms } = await open(await serve(await sampleStores({ count: 2_000 })))
    await page.waitForSelector(".session-row")
    await expect.poll(() => page.locator("body").textContent()).toMatch(/2,000 sessions/)
    expect(await page.locator(".session-row").count()).toBeLessThan(100)
    const isInList = (): Promise<boolean> =>
      page.evaluate(() => document.activeElement?.matches("a.session-row") === true)
    for (let tabs = 0; tabs < 40 && !(await isInList()); tabs++) await page.keyboard.press("Tab")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(alarms).toEqual([])
  })

  test.each([
    [1_440, 900, "light"],
    [390, 844, "dark"],
  ] as const)("axe finds nothing serious at %d x %d, %s", async (width, height, colorScheme) => {
    const url = await serve(await sampleStores({ count: 40 }))
    const { page } = await open(url, { viewport: { width, height }, colorScheme, bypassCSP: true })
    for (const [section, ready] of [
      ["sessions", ".session-row"],
      ["search?q=retry", ".found-hit"],
      ["usage", ".sums tr"],
    ]) {
      await page.goto(`${url}#${section}`)
      await page.waitForSelector(ready as string)
      expect(await seriousFaults(page)).toEqual([])
    }
  })
})
