import { type SessionStorage, TreelogError } from "@treelog/session-core"
import { assistantEntry, StoredSession, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import type { Page, Route } from "playwright-core"
import { describe, expect, test } from "vitest"
import { noBrowser } from "../src/launch.js"
import { sampleStores } from "../src/sample-stores.js"
import { serveForTest, serveStoresForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()

/** The page of all sessions, with a browser that gets other answers than the server gives. */
async function openStores(hash = "", { names = ["treelog"] } = {}) {
  const stores = await sampleStores({ count: 40, names })
  const { url } = await serveStoresForTest(stores)
  const { page } = await open("about:blank")
  return { page, stores, show: () => page.goto(`${url}${hash}`) }
}

const alert = (page: Page) => page.locator("[role=alert]")

/** Ways in which a server breaks, and what the page says of each. */
const FAULTS: readonly (readonly [name: string, says: RegExp, answer: (route: Route) => Promise<void>])[] = [
  [
    "answers 500 with a page of its own",
    /server answered with 500/,
    (route) => route.fulfill({ status: 500, contentType: "text/html", body: "<h1>Oops</h1>" }),
  ],
  [
    "answers 502 with an error as JSON",
    /Try again tomorrow/,
    (route) => route.fulfill({ status: 502, json: { code: "X", message: "Try again tomorrow." } }),
  ],
  [
    "answers with an error that is cut",
    /no JSON, or was cut/,
    (route) => route.fulfill({ status: 500, contentType: "application/json", body: '{"code": "St' }),
  ],
  [
    "sends what is no JSON",
    /no JSON, or was cut/,
    (route) => route.fulfill({ body: "<!doctype html>\n<p>Sign in</p>\n" }),
  ],
  ["cuts its answer", /was cut/, (route) => route.fulfill({ body: '{"id":"cut","cwd":"/home' })],
  ["refuses connections", /No connection to the server/, (route) => route.abort("connectionrefused")],
  ["closes connections", /No connection to the server/, (route) => route.abort("connectionreset")],
]

describe.skipIf(noBrowser)("a broken server", () => {
  test.each(FAULTS)("that %s: the list says so, and goes on once it answers", async (_, says, answer) => {
    const { page, show } = await openStores()
    await page.route("**/all/sessions?**", answer)
    await page.route("**/all/sessions", answer)
    await show()
    await expect.poll(() => alert(page).textContent()).toMatch(says)
    await page.unrouteAll()
    await expect.poll(() => page.locator(".count").textContent()).toBe("40 sessions")
    await expect.poll(() => alert(page).count()).toBe(0)
  })

  test.each(FAULTS.filter((_, at) => at % 2 === 1))(
    "that %s: search and usage say so, and go on once it answers",
    async (_, says, answer) => {
      const { page, show } = await openStores("#search?q=endpoints")
      await page.route(/\/all\/(search|usage)/, answer)
      await show()
      await expect.poll(() => alert(page).textContent()).toMatch(says)
      expect(await page.locator(".session-row, .found-hit").count()).toBe(0)
      await page.unrouteAll()
      await page.locator(".found-hit").first().waitFor()
      await expect.poll(() => alert(page).count()).toBe(0)
      await page.route(/\/all\/(search|usage)/, answer)
      // The search has the focus.
      await page.locator("input:focus").blur()
      await page.keyboard.press("3")
      await expect.poll(() => alert(page).textContent()).toMatch(says)
      await page.unrouteAll()
      await page.locator(".sums tr").first().waitFor()
    },
  )

  test("says once what is wrong with the list and the search alike", async () => {
    const { page, show } = await openStores("#search?q=endpoints")
    await page.route("**/all/**", (route) => route.fulfill({ status: 500, body: "" }))
    await show()
    await expect.poll(() => alert(page).allTextContents()).toEqual(["The server answered with 500."])
    await page.waitForTimeout(300)
    expect(await alert(page).count()).toBe(1)
  })

  test("that cannot read a store: the page says so, and has the others", async () => {
    const stores = await sampleStores({ count: 40, names: ["treelog", "pi"] })
    const storage = stores[1]?.sessions.storage as SessionStorage
    storage.list = () => {
      throw new TreelogError("StorageError", "The disk is gone.", { key: "", operation: "list", errno: undefined })
    }
    const { url } = await serveStoresForTest(stores)
    const { page } = await open(url)
    await page.locator(".session-row").first().waitFor()
    await expect.poll(() => alert(page).textContent()).toBe("pi cannot be read: StorageError")
    await page.goto(`${url}#search?q=endpoints`)
    await page.locator(".found-hit").first().waitFor()
    await expect.poll(() => alert(page).allTextContents()).toEqual(["pi cannot be read: StorageError"])
  })

  test("that breaks in the middle of a session: it says so, and shows the rest once it answers", async () => {
    const session = new StoredSession()
    await session.store(sessionText(testHeader(), userEntry("one", null, "the first question")))
    const { page } = await open((await serveForTest(session)).url)
    const feed = () => page.locator("[role=feed]").textContent()
    await expect.poll(feed).toContain("the first question")
    // What is sent with the status 200 is taken for the session: damage, which stays.
    const failing = FAULTS.filter(([name]) => !/cuts its answer|is no JSON/.test(name))
    for (const [at, [, , answer]] of failing.entries()) {
      await page.route(/\/bytes\?/, answer)
      const parent = at === 0 ? "one" : `answer-${at - 1}`
      await session.append(`${JSON.stringify(assistantEntry(`answer-${at}`, parent, `answer ${at}`))}\n`)
      await expect.poll(() => page.locator(".banner").textContent()).toContain("No connection to the server")
      await page.unrouteAll()
      await expect.poll(feed).toContain(`answer ${at}`)
      await expect.poll(() => page.locator(".banner").count()).toBe(0)
    }
  })
})

describe.skipIf(noBrowser)("a slow server", () => {
  /** Holds back the answers to questions whose address contains a text. @returns a function that lets them come */
  async function holdBack(page: Page, address: RegExp): Promise<() => void> {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(address, async (route) => {
      const response = await route.fetch().catch(() => undefined)
      await held
      // The page may not wait for it any more.
      await (response ? route.fulfill({ response }) : route.abort()).catch(() => undefined)
    })
    return release
  }

  test("whose answers to a search come in another order: the page shows those to the newest", async () => {
    const { page, show } = await openStores("#search")
    const release = await holdBack(page, /search\?q=endpoints/)
    await show()
    const asked = page.waitForRequest(/search\?q=endpoints/)
    await page.locator("#find").fill("endpoints")
    await expect.poll(() => page.locator(".count").textContent()).toBe("Searching …")
    await asked
    await page.locator("#find").fill("retry")
    await page.locator(".found-hit").first().waitFor()
    const shown = await page.locator(".found").textContent()
    expect(shown).toContain("retry")
    release()
    await page.waitForTimeout(500)
    expect(await page.locator(".found").textContent()).toBe(shown)
    expect(await page.locator("#find").inputValue()).toBe("retry")
  })

  test("whose sums come in another order: the page shows those of the filters", async () => {
    const { page, show } = await openStores("#usage?by=project")
    const release = await holdBack(page, /usage\?by=project/)
    await show()
    await page.getByLabel("Sums").selectOption("model")
    await page.locator(".sums tbody tr").first().waitFor()
    const shown = await page.locator(".sums").textContent()
    expect(shown).toContain("claude-sonnet-4-5")
    release()
    await page.waitForTimeout(500)
    expect(await page.locator(".sums").textContent()).toBe(shown)
  })

  test("says that it is waited for, and lists what has come", async () => {
    const { page, show } = await openStores()
    // The first rows are asked for with a limit, and then all of them.
    const release = await holdBack(page, /all\/sessions$/)
    await show()
    await page.locator(".session-row").first().waitFor()
    expect(await page.locator(".count").textContent()).toContain("still reading")
    release()
    await expect.poll(() => page.locator(".count").textContent()).toBe("40 sessions")
  })
})
