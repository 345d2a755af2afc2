import { StoredSession } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { foreignMarkupIn } from "../src/foreign-markup.js"
import { hostileSession } from "../src/hostile-session.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { sampleStores } from "../src/sample-stores.js"
import { serveForTest, serveStoresForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()
async function serve(stores: Parameters<typeof serveStoresForTest>[0]): Promise<string> {
  return (await serveStoresForTest(stores)).url
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

  test("finds what the indexes of the stores find, and leads to the entry", async () => {
    const stores = await sampleStores({ count: 60 })
    const url = await serve(stores)
    const { page, alarms } = await open(`${url}#search?q=endpoints`)
    await page.waitForSelector(".found-hit")
    let hits = 0
    for (const { index } of stores) {
      await index.update()
      for (const { hits: found } of (await index.search({ terms: [{ text: "endpoints" }], limit: 500 })).sessions)
        hits += found.length
    }
    await expect.poll(async () => (await page.locator("body").textContent())?.includes(`${hits} hits in`)).toBe(true)
    await page.locator(".found-hit").first().click()
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(page.url()).toContain("/open/")
    expect(alarms).toEqual([])
  })
})

describe.skipIf(noBrowser)("the page of one session", () => {
  test("runs and loads nothing of what is stored.", async () => {
    const some = HOSTILE_STRINGS.filter((_, index) => index % 16 === 0)
    const session = new StoredSession()
    await session.store(hostileSession(some))
    const title = HOSTILE_STRINGS.join(" ")
    const { url } = await serveForTest(session, { title, fileName: title })
    const { page, requests, alarms } = await open(url, { viewport: { width: 1_400, height: 4_000 } })
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    const elsewhere = requests.filter((request) => !request.startsWith(url))
    expect({ strangers: await foreignMarkupIn(page), elsewhere, alarms }).toEqual({
      strangers: [],
      elsewhere: [],
      alarms: [],
    })
  })
})
