import { sumOfUsages, type UsageTotals } from "@treelog/session-core/search"
import { describe, expect, test } from "vitest"
import { seriousFaults } from "../src/accessibility.js"
import { foreignMarkupIn } from "../src/foreign-markup.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { sampleStores } from "../src/sample-stores.js"
import { serveStoresForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()
async function serve(stores: Parameters<typeof serveStoresForTest>[0]): Promise<string> {
  return (await serveStoresForTest(stores)).url
}

describe.skipIf(noBrowser)("the page of all sessions", () => {
  test("gives a title the width of a phone", async () => {
    const { page } = await open(await serve(await sampleStores({ count: 20 })), {
      viewport: { width: 390, height: 844 },
    })
    const title = page.locator(".session-title").first()
    await title.waitFor()
    expect((await title.boundingBox())?.width).toBeGreaterThan(340)
    expect(await page.locator(".session-when").first().isVisible()).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
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

  test("leads back from a wrong address, and from that of a session that was deleted, in colours of the page", async () => {
    const [store] = await sampleStores({ count: 5, names: ["treelog"] })
    if (!store) throw new Error("There is no sample.")
    const { page } = await open(await serve([store]), { colorScheme: "dark" })
    const row = page.locator(".session-row").first()
    const [, id = ""] = /open\/treelog\/([^/]+)/.exec((await row.getAttribute("href")) ?? "") ?? []
    await store.sessions.delete({ id })
    await row.click()
    await expect.poll(() => page.textContent("h1")).toBe("Not found")
    expect(await page.textContent(".start-lead")).toContain("There is no such session")
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      "rgb(21, 23, 24)",
    )
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole("link", { name: "All sessions" }).click()
    await expect.poll(() => page.locator(".count").textContent()).toBe("4 sessions")
    await page.goto(new URL("open/nobody/one/", page.url()).href)
    await expect.poll(() => page.textContent(".start-lead")).toBe("There is nothing here.")
    await page.getByRole("link", { name: "All sessions" }).click()
    await expect.poll(() => page.locator(".count").textContent()).toBe("4 sessions")
  })

  test("moves no hit when the index is complete", async () => {
    const url = await serve(await sampleStores({ count: 20, names: ["treelog"] }))
    const { page } = await open(url)
    let isUpdating = true
    await page.route("**/search?*", async (route) => {
      const response = await route.fetch()
      const found = (await response.json()) as object
      await route.fulfill({ response, json: { ...found, updating: isUpdating ? { done: 3, total: 12 } : null } })
    })
    await page.goto(`${url}#search?q=dependency`)
    const top = async (): Promise<number | undefined> => (await page.locator(".found-hit").first().boundingBox())?.y
    await expect.poll(() => page.locator(".passing").textContent()).toContain("3 of 12 sessions")
    const before = await top()
    isUpdating = false
    await expect.poll(() => page.locator(".passing").textContent()).toBe("")
    expect([before, await top()]).toEqual([expect.any(Number), before])
  })

  test("says that nothing matches its filters, and removes them", async () => {
    const url = await serve(await sampleStores({ count: 10 }))
    const { page } = await open(`${url}#sessions?q=nobody&since=7d`)
    await page.locator(".no-match button").click()
    await expect.poll(() => page.locator(".count").textContent()).toBe("10 sessions")
    expect(page.url()).toBe(`${url}#sessions`)
    await page.goBack()
    await expect.poll(() => page.locator(".no-match").textContent()).toContain("No session matches.")
    await page.goto(`${url}#search?q=zebra&project=%2Fhome%2Fada%2Fshop`)
    await page.locator(".no-match button").click()
    await expect.poll(() => page.url()).toBe(`${url}#search?q=zebra`)
    await expect.poll(() => page.locator(".no-match").textContent()).toBe("Nothing was found.")
  })

  test("is printed as a whole, in light colours", async () => {
    const { page } = await open(await serve(await sampleStores({ count: 300 })), { colorScheme: "dark" })
    await expect.poll(() => page.locator(".count").textContent()).toBe("300 sessions")
    const rows = page.locator(".session-row")
    expect(await rows.count()).toBeLessThan(100)
    await page.emulateMedia({ media: "print" })
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")))
    await expect.poll(() => rows.count()).toBe(300)
    const [first, last] = [await rows.first().boundingBox(), await rows.last().boundingBox()]
    expect((last?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThan(299 * 30)
    expect(await page.locator(".side").isVisible()).toBe(false)
    const title = rows.first().locator(".session-title")
    expect(await title.evaluate((row) => getComputedStyle(row).color)).toBe("rgb(36, 33, 28)")
    await page.emulateMedia({ media: "screen" })
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")))
    await expect.poll(() => rows.count()).toBeLessThan(100)
  })

  test("says that nothing was counted, and shows no sums, where no usage is meant", async () => {
    const { page } = await open(`${await serve(await sampleStores({ count: 3 }))}#usage?model=nobody`)
    await expect.poll(() => page.locator(".usage .side-empty").textContent()).toContain("Nothing was counted")
    expect(await page.locator(".usage .tiles, .usage table").count()).toBe(0)
  })

  test("stacks the cost of each day by model or by project", async () => {
    const { page } = await open(`${await serve(await sampleStores({ count: 60 }))}#usage`)
    const legend = (): Promise<string[]> => page.locator(".day-parts li").allTextContents()
    await expect.poll(async () => (await legend()).every((name) => /^[a-z]+\/|others$/.test(name))).toBe(true)
    await page.getByLabel("Stacks").selectOption("project")
    await expect.poll(async () => (await legend())[0]).toContain("ada")
    expect(page.url()).toContain("stack=project")
  })

  test.each(["day", "week", "month", "project", "model", "session"] as const)(
    "sums by %s what the indexes sum, row by row",
    async (by) => {
      const [store] = await sampleStores({ count: 60, names: ["treelog"] })
      if (!store) throw new Error("There is no sample.")
      const { page, alarms } = await open(`${await serve([store])}#usage?by=${by}`)
      const rows = page.locator(".sums tbody tr:not(.total)")
      await store.index.update()
      const summed = (await store.index.usage({ by })).map(({ totals }) => [dollars(totals.cost), String(totals.calls)])
      const shown = (): Promise<string[][]> =>
        rows.evaluateAll((lines) =>
          lines.map((line) => [...line.querySelectorAll("td")].map((cell) => cell.textContent ?? "")),
        )
      const costs = (list: readonly (readonly string[])[]): string[] =>
        list.map((cells) => `${cells[0]} ${cells.at(-1)}`)
      await expect.poll(async () => costs(await shown()).sort()).toEqual(costs(summed).sort())
      expect(alarms).toEqual([])
    },
  )

  test("sums by agent, and names the compactions, the cache and the most expensive session", async () => {
    const stores = await sampleStores({ count: 60 })
    for (const { index } of stores) await index.update()
    const { page } = await open(`${await serve(stores)}#usage?by=agent`)
    await expect.poll(() => page.locator(".sums tbody tr").count()).toBe(stores.length + 1)
    const sums: { usage: UsageTotals }[] = []
    let [summaries, dearest] = [0, 0]
    for (const { name, index } of stores) {
      const [sum] = await index.usage({})
      if (!sum) throw new Error("There is no sum.")
      sums.push({ usage: sum.totals })
      const row = page.locator(".sums tbody tr").filter({ hasText: new RegExp(`^${name}`) })
      // Sums grow on the page as they come.
      await expect.poll(() => row.textContent()).toContain(dollars(sum.totals.cost))
      for (const { totals } of await index.usage({ by: "session" })) dearest = Math.max(dearest, totals.cost)
      const { sessions } = await index.search({ roles: ["summary"], limit: 500 })
      for (const { hits } of sessions) summaries += hits.length
    }
    const total = sumOfUsages(sums)
    await expect.poll(() => page.locator(".tiles").textContent()).toContain(dollars(total.cost))
    const tiles = await page.locator(".tiles").textContent()
    const share = total.cacheRead / (total.input + total.cacheRead + total.cacheWrite)
    expect(tiles).toContain(`From cache${Math.round(share * 100)} %`)
    expect(summaries).toBeGreaterThan(0)
    expect(tiles).toContain(`Summaries${summaries}`)
    expect(await page.locator(".dearest li").first().textContent()).toContain(dollars(dearest))
  })

  test("without an index, lists and opens sessions, and says what is missing", async () => {
    const stores = (await sampleStores({ count: 5 })).map(({ name, sessions }) => ({ name, sessions }))
    const { page } = await open(await serve(stores))
    await page.waitForSelector(".session-row")
    await page.goto(`${page.url()}#search?q=retry`)
    await expect
      .poll(() => page.locator(".note").textContent())
      .toMatch(/There is no index: .*need SQLite.*better-sqlite3/)
    // The search has the focus.
    await page.locator("input:focus").blur()
    await page.keyboard.press("3")
    await expect.poll(() => page.locator(".note").textContent()).toContain("better-sqlite3")
    await page.keyboard.press("1")
    await page.locator(".session-row").first().click()
    await page.waitForSelector("[role=feed][aria-busy=false] article")
  })

  test("shows hostile names, folders, models and texts as text, and fetches nothing for them", async () => {
    const [store] = await sampleStores({ count: 1, names: ["treelog"] })
    if (!store) throw new Error("There is no sample.")
    for (const [at, evil] of HOSTILE_STRINGS.entries()) {
      const session = await store.sessions.create(`/home/${evil.replaceAll("\0", "")}`, { id: `evil-${at}` })
      session.appendMessage({ role: "user", content: `${evil} needle`, timestamp: Date.now() })
      const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: at } }
      session.appendMessage({
        ...{ role: "assistant", provider: evil, model: evil, stopReason: "stop", timestamp: Date.now() },
        ...{ content: [{ type: "text", text: evil }], usage },
      } as never)
      session.appendSessionInfo(evil)
      await session.close()
    }
    const url = await serve([store])
    const { page, alarms, requests } = await open(url, { viewport: { width: 1_400, height: 6_000 } })
    for (const [section, ready] of [
      ["sessions", ".session-row"],
      ["search?q=needle", ".found-hit"],
      ["usage?by=project", ".sums tr"],
      ["usage?by=model", ".sums tr"],
      ["usage?by=session", ".sums tr"],
    ] as const) {
      await page.goto(`${url}#${section}`)
      await expect.poll(() => page.locator(ready).count()).toBeGreaterThan(30)
      expect(await foreignMarkupIn(page)).toEqual([])
    }
    expect(alarms).toEqual([])
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([])
  })

  test("takes hostile queries and filters from its address as text, and goes on", async () => {
    const stores = await sampleStores({ count: 40 })
    const url = await serve(stores)
    const { page, alarms, requests } = await open(url)
    await page.waitForSelector(".session-row")
    for (const evil of HOSTILE_STRINGS) {
      const given = new URLSearchParams({ q: evil, project: evil, store: evil, model: evil, since: evil, by: evil })
      for (const section of ["sessions", "search", "usage"]) {
        await page.evaluate((hash) => {
          location.hash = hash
        }, `${section}?${given}`)
        await page.waitForFunction(
          (name) => document.querySelector("[aria-current=page]")?.textContent === name,
          {
            sessions: "Sessions",
            search: "Search",
            usage: "Usage",
          }[section],
        )
        expect(await foreignMarkupIn(page)).toEqual([])
      }
    }
    await page.goto(`${url}#search?q=endpoints`)
    await page.locator(".found-hit").first().waitFor()
    // What is no question is refused, which the browser reports.
    expect(alarms.filter((alarm) => !alarm.includes("status of 400"))).toEqual([])
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

  test("the search is typed into at once, and Enter opens its first hit", async () => {
    const { page, alarms } = await open(await serve(await sampleStores({ count: 40 })))
    await page.waitForSelector(".session-row")
    await page.keyboard.press("2")
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("find")
    await page.keyboard.type("retry")
    await page.waitForSelector(".found-hit")
    await page.keyboard.press("Enter")
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(alarms).toEqual([])
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

  test("comes back to the session that was opened", async () => {
    const { page } = await open(await serve(await sampleStores({ count: 300, names: ["treelog"] })))
    await expect.poll(() => page.locator(".count").textContent()).toBe("300 sessions")
    await page.locator(".sessions").hover()
    await page.mouse.wheel(0, 6_000)
    await expect.poll(() => page.locator(".sessions .list-row").first().getAttribute("data-row")).not.toBe("0")
    const row = page.locator(".session-row").nth(20)
    const href = await row.getAttribute("href")
    await row.click()
    await page.waitForSelector("[role=feed] article")
    await page.goBack()
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("href"))).toBe(href)
    expect(await page.locator(".sessions").evaluate((list) => list.scrollTop)).toBeGreaterThan(5_000)
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

/** As the page writes what was reported. */
function dollars(amount: number): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return amount > 0 && amount < 0.005 ? "<$0.01" : `$${amount.toLocaleString("en-US", digits)}`
}
