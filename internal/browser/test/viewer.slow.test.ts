import { assistantMessage, chain, messageEntry, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { dropFiles, openSession } from "../src/give-files.js"
import { noBrowser } from "../src/launch.js"
import { hashOf, picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { watchedPages } from "../src/watched-page.js"

const inside = picture(40, 20, [29, 107, 75])
const outside = picture(30, 30, [180, 86, 11])
const sample = sampleSession(inside.toString("base64"), hashOf(outside))

/** Calls to a model that cost something. */
const answers = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 110, cost: { total: 0.01 } }
    return messageEntry(`a${index}`, null, assistantMessage(`Answer ${index}`, { usage } as never))
  })

describe.skipIf(noBrowser)("the viewer", () => {
  const open = watchedPages()

  test("shows a file that is dropped on it, and asks for nothing.", async () => {
    const { url } = await builtPage()
    const { page, requests, alarms } = await open(url)
    await dropFiles(page, [{ name: "rate-limits.jsonl", content: sample }])
    await page.waitForSelector("article")
    expect(await page.textContent("h1")).toBe("Rate limits for the API")
    expect(await page.textContent(".session-head")).toContain("/home/dev/shop")
    const questions = page.locator("article[data-speaker=user]")
    expect(await questions.first().textContent()).toContain("someone scraped the whole catalogue")
    expect(await page.locator("[role=treeitem]").count()).toBeGreaterThan(15)
    expect([...requests, ...alarms]).toEqual([])
  })

  test("says why a file is not a session.", async () => {
    const { page } = await open((await builtPage()).url)
    await dropFiles(page, [{ name: "notes.txt", content: "# Notes\n" }])
    expect(await page.textContent("[role=alert]")).toContain("This is not a session")
    await dropFiles(page, [{ name: "rate-limits.jsonl", content: sample }])
    await page.waitForSelector("article")
  })

  test("walks the branches, by the tree and where they begin.", async () => {
    const { page, alarms } = await open((await builtPage()).url)
    await openSession(page, sample)
    const feed = page.locator("[role=feed]")
    await page.getByRole("treeitem", { name: /could nginx do it/ }).click()
    await expect.poll(() => feed.textContent()).toContain("limit_req_zone $http_x_api_key")
    expect(await feed.textContent()).not.toContain("Keys are on")
    const fork = page.locator("article", { hasText: "could nginx do it" }).locator(".fork")
    expect(await fork.textContent()).toBe("Branch 2 of 2")
    await fork.getByRole("button", { name: "Next branch" }).click()
    await expect.poll(() => feed.textContent()).toContain("Keys are on")
    expect(await page.locator("[role=treeitem][data-on-path=true]").count()).toBeGreaterThan(10)
    expect(alarms).toEqual([])
  })

  test("folds up a branch of the tree, and shows what its filters say.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    const rows = page.locator("[role=treeitem]")
    const all = await rows.count()
    await page
      .getByRole("treeitem", { name: /could nginx do it/ })
      .locator(".tree-fold")
      .click()
    await expect.poll(() => rows.count()).toBe(all - 1)
    await page.getByLabel("Tree filter").selectOption("labeled-only")
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.allTextContents()).toEqual([
      expect.stringContaining("nginx idea"),
      expect.stringContaining("works"),
    ])
    await page.getByLabel("Tree filter").selectOption("all")
    await expect.poll(() => rows.count()).toBeGreaterThan(all)
  })

  test("opens a picture, and one of a blob once the blob is dropped.", async () => {
    const { page, requests, alarms } = await open((await builtPage()).url)
    await openSession(page, sample)
    await page.getByRole("treeitem", { name: /Keep them in the configuration/ }).click()
    await page.getByRole("button", { name: "Open the image" }).click()
    const dialog = page.getByRole("dialog", { name: "Picture" })
    expect(await dialog.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    await page.keyboard.press("Escape")
    await expect.poll(() => dialog.count()).toBe(0)
    await page.getByRole("treeitem", { name: /Here is the new page/ }).click()
    const message = page.locator("article", { hasText: "Here is the new page" })
    expect(await message.textContent()).toContain(`A picture in blob ${hashOf(outside).slice(0, 12)}`)
    await dropFiles(page, [{ name: `${hashOf(outside)}.png`, content: outside }])
    await message.locator("img").waitFor()
    expect(await message.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(30)
    expect([...requests, ...alarms]).toEqual([])
  })

  test("reports a blob that does not match its name, and does not show it.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    await dropFiles(page, [{ name: hashOf(outside), content: inside }])
    await page.getByRole("treeitem", { name: /Here is the new page/ }).click()
    await expect.poll(() => page.textContent(".notice")).toContain("does not match the hash in its name")
    expect(await page.locator("article", { hasText: "Here is the new page" }).locator("img").count()).toBe(0)
  })

  test("shows what came of each call, changes as an open diff, and output in its colours.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    const edit = page.locator(".tool", { hasText: "edit" }).first()
    expect(await edit.locator("[data-kind=added]").first().textContent()).toContain("rateLimit((key)")
    expect(await edit.locator("[data-kind=removed]").textContent()).toContain("app.use(json())")
    const failed = page.locator(".tool.failed").first()
    await failed.getByRole("button").first().click()
    expect(await failed.textContent()).toContain("expected 200 to be 429")
    await page.getByRole("treeitem", { name: /^Run by the user: \$ npm test/ }).click()
    const run = page.locator("article[data-speaker=bash]", { hasText: "npm test" })
    expect(await run.textContent()).toContain("✓ 214 tests passed")
    expect(await run.textContent()).not.toContain("[32m")
    expect(await run.locator(".ansi-green").textContent()).toBe("✓")
    await page.keyboard.press("e")
    await page.keyboard.press("e")
    await expect.poll(() => page.locator(".tool .fold-content").count()).toBe(0)
    const hidden = page.locator("article[data-speaker=bash]", { hasText: ".env.production" })
    expect(await hidden.textContent()).toContain("excluded from the context")
  })

  test("shows what the model sees, and leads back to the entry.", async () => {
    const { page } = await open((await builtPage()).url)
    // Rows below the window are not drawn.
    await page.setViewportSize({ width: 1280, height: 2400 })
    await openSession(page, sample)
    await page.getByRole("button", { name: "Context" }).click()
    const messages = page.locator("article.seen")
    expect(await messages.first().textContent()).toContain("was compacted into the following summary")
    const all = (await messages.allTextContents()).join("\n")
    expect(all).toContain("The team prefers configuration over tables.")
    expect(all).not.toContain("someone scraped the whole catalogue")
    await messages.nth(1).getByRole("button", { name: "Entry" }).click()
    await expect.poll(() => page.locator("article[data-current=true]").textContent()).toContain("And the docs")
  })

  test("finds what is searched on every branch, and goes there.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    await page.getByRole("searchbox").fill("LIMIT_REQ_zone")
    const hits = page.getByRole("option")
    await expect.poll(() => hits.count()).toBe(1)
    expect(await hits.first().textContent()).toContain("another branch")
    expect(await hits.first().locator("mark").first().textContent()).toBe("limit_req_zone")
    await page.getByRole("searchbox").press("Enter")
    await expect.poll(() => page.locator("article[data-current=true]").textContent()).toContain("limit_req_zone")
    await page.getByRole("searchbox").fill("nobody ever said this")
    await expect.poll(() => page.textContent(".side-head [role=status]")).toBe("nothing")
    await page.getByRole("searchbox").fill("role:nobody")
    await expect.poll(() => page.textContent(".side-empty")).toContain('"nobody" is not a role')
    await page.getByRole("searchbox").fill("role:label nginx")
    await expect.poll(() => hits.count()).toBe(1)
    expect(await hits.first().textContent()).toContain("nginx idea")
    await page.getByRole("searchbox").fill('headers.get("x-api-key")')
    await expect.poll(() => hits.allTextContents()).toEqual([expect.stringContaining("x-api-key")])
    await hits.first().click()
    await expect
      .poll(() => page.locator("article[data-current=true]").textContent())
      .toContain("Reads the key of a request")
  })

  test("goes to the entry that its address names, and names the one that one is at.", async () => {
    const { url } = await builtPage()
    const { page } = await open(url)
    await openSession(page, sample)
    await page.getByRole("treeitem", { name: /All 214 tests pass/ }).click()
    const hash = new URL(page.url()).hash
    const id = await page.getAttribute("article[data-current=true]", "data-id")
    expect(hash).toBe(`#${id}`)
    const other = await open(`${url}${hash}`)
    await openSession(other.page, sample)
    await expect.poll(() => other.page.getAttribute("article[data-current=true]", "data-id")).toBe(id)
    expect(await other.page.locator("article[data-current=true]").isVisible()).toBe(true)
    await other.page.evaluate(() => {
      location.hash = "#no-such-entry"
    })
    await expect.poll(() => other.page.textContent(".notice")).toContain("no such entry")
    const opened = await open(`${url}#no-such-entry`)
    await openSession(opened.page, sample)
    await expect.poll(() => opened.page.textContent(".notice")).toContain("no such entry")
  })

  test("can be used by the keyboard alone.", async () => {
    const { page, alarms } = await open((await builtPage()).url)
    await openSession(page, sample)
    const { keyboard } = page
    const current = () => page.locator("article[data-current=true]").textContent()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await keyboard.press("t")
    await keyboard.press("Home")
    await keyboard.press("ArrowDown")
    await expect.poll(current).toContain("could nginx do it")
    await keyboard.press("Enter")
    await expect.poll(focused).toMatch(/^User.*could nginx do it/)
    await keyboard.press("]")
    await expect.poll(focused).toContain("I will look at how the middleware")
    await keyboard.press("o")
    await expect.poll(() => page.locator("article[data-current=true] [aria-expanded=false]").count()).toBe(0)
    await keyboard.press("u")
    await expect.poll(focused).toContain("Keep them in the configuration")
    await keyboard.press("Tab")
    await keyboard.press("Tab")
    await keyboard.press("Tab")
    await keyboard.press("Enter")
    await page.getByRole("dialog", { name: "Picture" }).waitFor()
    await keyboard.press("Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
    await keyboard.press("k")
    await keyboard.press("/")
    await keyboard.type('"to the table, and"')
    await expect.poll(() => page.getByRole("option").count()).toBe(1)
    await keyboard.press("Enter")
    await expect.poll(current).toContain("Retry-After")
    await keyboard.press("Escape")
    await keyboard.press("c")
    await page.locator("article.seen").first().waitFor()
    await keyboard.press("?")
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor()
    await keyboard.press("Escape")
    await page.locator("dialog").waitFor({ state: "detached" })
    await keyboard.press("d")
    await expect.poll(() => page.getAttribute("html", "data-theme")).toBe("dark")
    expect(alarms).toEqual([])
  })

  test("plots tokens and cost, and leads from a point to its entry.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    const plot = page.getByRole("slider", { name: "Tokens and cost over time" })
    expect(await plot.getAttribute("aria-valuetext")).toMatch(/\d\.\dK tokens; \$0\.\d\d so far$/)
    await plot.focus()
    await page.keyboard.press("Home")
    await expect.poll(() => plot.getAttribute("aria-valuetext")).toContain("6.6K tokens")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.locator("article[data-current=true]").textContent()).toContain("I will look at how")
  })

  test("plots no short session, unless it is asked to.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...chain(userEntry("q", null), ...answers(7))))
    expect(await page.locator(".plot").count()).toBe(0)
    await page.keyboard.press("g")
    await page.locator(".plot").waitFor()
    await openSession(page, sessionText(testHeader(), ...chain(userEntry("q", null), ...answers(8))))
    await page.locator(".plot").waitFor()
  })

  test("shows the time, tokens and cost of a step beside it, and nowhere as a line.", async () => {
    const { page } = await open((await builtPage()).url, { viewport: { width: 1_440, height: 900 } })
    await openSession(page, sample)
    const step = page.locator("article[data-step=true]").first()
    const head = step.locator(".entry-head")
    const placed = async () => {
      const [facts, body] = [await head.boundingBox(), await step.locator(".entry-body").boundingBox()]
      return { isBeside: (facts?.x ?? 0) >= (body?.x ?? 0) + (body?.width ?? 0), top: (facts?.y ?? 0) - (body?.y ?? 0) }
    }
    expect(await head.textContent()).toMatch(/1\d\.\dK tokens · \$0\.01/)
    expect(await placed()).toMatchObject({ isBeside: true, top: expect.closeTo(1, -1) })
    expect(await step.locator(".prose").evaluate((text: HTMLElement) => text.offsetTop)).toBeLessThan(12)
    await page.setViewportSize({ width: 1_000, height: 900 })
    const opacity = () => head.evaluate((element) => getComputedStyle(element).opacity)
    expect(await placed()).toMatchObject({ isBeside: false })
    await page.mouse.move(0, 0)
    await expect.poll(opacity).toBe("0")
    await step.hover()
    await expect.poll(opacity).toBe("1")
    await page.mouse.move(0, 0)
    await step.getByRole("button", { name: "Show as stored" }).focus()
    await expect.poll(opacity).toBe("1")
  })

  test("shows code between backticks in a prompt as code.", async () => {
    const { page } = await open((await builtPage()).url)
    const prompt = "Use `a < b` and ``x ` y``, not `this\nor that` and\n```ts\nconst a = 1\n```"
    await openSession(page, sessionText(testHeader(), userEntry("q", null, prompt)))
    const typed = page.locator("article[data-speaker=user] .typed")
    expect(await typed.locator("code").allTextContents()).toEqual(["a < b", "x ` y"])
    expect(await typed.first().textContent()).toBe("Use a < b and x ` y, not `this\nor that` and")
    expect(await page.locator("article[data-speaker=user] .prose pre").textContent()).toContain("const a = 1")
  })

  test("fits a narrow screen: the tree comes over it, the plot moves nothing, another session can be opened.", async () => {
    const { page } = await open((await builtPage()).url, { viewport: { width: 390, height: 844 } })
    await openSession(page, sample)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    const feed = page.locator("[role=feed]")
    // The conversation comes first: the facts are one line, and the plot is not shown.
    expect(await page.locator(".plot").count()).toBe(0)
    const facts = page.locator(".session-head").getByRole("button", { name: "About" })
    expect(await page.textContent(".session-head")).not.toContain("Started")
    await facts.click()
    expect(await page.textContent(".session-head")).toContain("Started")
    await page.getByRole("button", { name: "Plot of tokens and cost" }).click()
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.locator("h1").click()
      await expect.poll(() => page.textContent(".plot-text")).toBe("")
      const before = await feed.boundingBox()
      await page.getByRole("slider").focus()
      await page.keyboard.press("Home")
      await expect.poll(() => page.textContent(".plot-text")).toContain("6.6K tokens")
      expect(await feed.boundingBox()).toEqual(before)
    }
    await page.getByRole("button", { name: "Tree of the session" }).click()
    await page.getByRole("treeitem", { name: /could nginx do it/ }).click()
    await expect.poll(() => feed.textContent()).toContain("limit_req_zone $http_x_api_key")
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Open another session" }).click(),
    ])
    await chooser.setFiles({
      name: "other.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from(sessionText(testHeader({ title: "Another" }))),
    })
    await expect.poll(() => page.textContent("h1")).toBe("Another")
  })
})
