import { MemorySessionStorage } from "@treelog/session-core"
import { assistantEntry, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { noBrowser } from "../src/launch.js"
import { sampleStores } from "../src/sample-stores.js"
import { serveForTest, serveStoresForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()

type Shifts = typeof globalThis & { shifts: { readonly at: number; readonly what: string }[] }

interface Moved {
  readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

/** A page that notes what the browser moves up or down. */
async function watched(url: string, width: number): Promise<Page> {
  const { page } = await open("about:blank", { viewport: { width, height: 800 } })
  await page.addInitScript(() => {
    const shifts: Shifts["shifts"] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        for (const { node, previousRect, currentRect } of (entry as unknown as Moved).sources)
          if (previousRect.y !== currentRect.y)
            shifts.push({ at: entry.startTime, what: `${(node as Element | null)?.className}: ${node?.textContent}` })
    }).observe({ type: "layout-shift", buffered: true })
  })
  await page.goto(url)
  return page
}

/** Where the elements are that are in sight, by their texts. */
function places(page: Page, selector: string): Promise<[text: string, top: number][]> {
  return page.evaluate(
    (wanted) =>
      [...document.querySelectorAll(wanted)].map((element): [string, number] => {
        return [element.textContent?.slice(0, 60) ?? "", element.getBoundingClientRect().top]
      }),
    selector,
  )
}

/** Does what makes a message come or go; nothing else moves then. */
async function expectNoMove(page: Page, selector: string, work: () => Promise<void>): Promise<void> {
  const before = await places(page, selector)
  expect(before.length).toBeGreaterThan(2)
  const from = await page.evaluate(() => performance.now())
  await work()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  const after = new Map(await places(page, selector))
  const still = before.filter(([text]) => after.has(text))
  expect(still.length).toBeGreaterThan(2)
  expect(still.map(([text]) => [text, after.get(text)])).toEqual(still)
  const shifts = await page.evaluate((since) => (globalThis as Shifts).shifts.filter(({ at }) => at >= since), from)
  expect(shifts.map(({ what }) => what)).toEqual([])
}

/** Whether a message lies at the end of the part of the page that it is about. */
async function liesOver(page: Page, message: string, part: string): Promise<boolean> {
  const [over, under] = [await page.locator(message).boundingBox(), await page.locator(part).boundingBox()]
  return over !== null && under !== null && Math.abs(over.y + over.height - under.y - under.height) < 1
}

/** A storage that holds back all but the first block of a session. */
class SlowStorage extends MemorySessionStorage {
  release = (): void => undefined
  readonly #released = new Promise<void>((resolve) => {
    this.release = resolve
  })

  override async readRange(...range: Parameters<MemorySessionStorage["readRange"]>): Promise<Uint8Array> {
    if (range[1] > 0) await this.#released
    return super.readRange(...range)
  }
}

const KEY = "memory:/home/dev/shop/long"

async function longSession(): Promise<{ readonly storage: SlowStorage; readonly key: string }> {
  const storage = new SlowStorage()
  const entries = Array.from({ length: 2_500 }, (_, turn) => [
    userEntry(`u${turn}`, turn === 0 ? null : `a${turn - 1}`, `question ${turn} ${"of many ".repeat(20)}`),
    assistantEntry(`a${turn}`, `u${turn}`, `answer ${turn} ${"to it ".repeat(20)}`),
  ])
  const lease = await storage.lease(KEY, { access: "exclusive", waitMs: 0 })
  await lease.create([new TextEncoder().encode(sessionText(testHeader(), ...entries.flat()))])
  await lease.release()
  return { storage, key: KEY }
}

describe.skipIf(noBrowser)("no message moves what is read:", () => {
  test.each([1_280, 400])("in a session that is still read, and whose server stops, %d wide", async (width) => {
    const session = await longSession()
    const server = await serveForTest(session)
    const page = await watched(server.url, width)
    await expect.poll(() => page.locator(".passing").textContent()).toBe("Still reading …")
    expect(await liesOver(page, ".passing", ".main")).toBe(true)
    const entries = "article.entry"
    await expectNoMove(page, entries, async () => {
      session.storage.release()
      await page.waitForSelector("[role=feed][aria-busy=false]")
    })
    expect(await page.locator(".passing").textContent()).toBe("")
    await expectNoMove(page, entries, async () => {
      await server.close()
      await expect.poll(() => page.locator(".banner").textContent()).toContain("No connection to the server")
    })
    expect(await liesOver(page, ".banner", ".main")).toBe(true)
    await page.locator("[role=feed]").focus()
    await page.keyboard.press("End")
    const last = page.locator("article.entry").last()
    await expect.poll(() => last.textContent()).toContain("answer 2499")
    const [banner, end] = [await page.locator(".banner").boundingBox(), await last.boundingBox()]
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(banner?.y ?? 0)
  })

  test.each([1_280, 400])("in the list and the search, whose stores fail, %d wide", async (width) => {
    const stores = await sampleStores({ count: 60 })
    const { url } = await serveStoresForTest(stores)
    const page = await watched(url, width)
    await expect.poll(() => page.locator(".count").textContent()).toBe("60 sessions")
    const fails = /\/all\/sessions/
    const alert = page.locator("[role=alert]")
    await expectNoMove(page, ".session-row", async () => {
      await page.route(fails, (route) => route.fulfill({ status: 500, body: "" }))
      await expect.poll(() => alert.allTextContents()).toEqual(["The server answered with 500."])
    })
    expect(await liesOver(page, ".passing", ".main")).toBe(true)
    await page.keyboard.press("2")
    await page.locator("main[aria-label=Search] #find").fill("endpoints")
    await page.waitForSelector(".found-hit")
    const top = async (): Promise<number | undefined> => (await page.locator(".found").boundingBox())?.y
    const before = await top()
    await page.unrouteAll()
    await expect.poll(() => alert.count()).toBe(0)
    expect([before, await top()]).toEqual([expect.any(Number), before])
  })
})
