import { MemoryBlobStore } from "@treelog/session-core"
import type { ServedPage } from "@treelog/viewer"
import { assistantEntry, StoredSession, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { beforeEach, describe, expect, test } from "vitest"
import { noBrowser } from "../src/launch.js"
import { picture } from "../src/pictures.js"
import { serveForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const line = (entry: object): string => `${JSON.stringify(entry)}\n`

describe.skipIf(noBrowser)("a served session", () => {
  const open = watchedPages()
  const blobs = new MemoryBlobStore()
  let session: StoredSession
  let served: ServedPage
  beforeEach(async () => {
    session = new StoredSession()
    await session.store(sessionText(testHeader(), userEntry("one", null, "the first question")))
    served = await serveForTest(session, { blobs })
  })

  const shown = (page: Page) => page.textContent("[role=feed]")

  test("is followed as it grows, in part lines and on other branches too, and asks nobody but its server.", async () => {
    const { page, requests, alarms } = await open(served.url)
    await expect.poll(() => shown(page)).toContain("the first question")
    await session.append(line(assistantEntry("two", "one", "an answer")))
    await expect.poll(() => shown(page)).toContain("an answer")
    const whole = line(userEntry("three", "two", "written in two pieces"))
    await session.append(whole.slice(0, 40))
    await session.append(whole.slice(40))
    await expect.poll(() => shown(page)).toContain("written in two pieces")
    await session.append(line(userEntry("four", "one", "another way")))
    await expect.poll(() => shown(page)).toContain("another way")
    expect(await shown(page)).not.toContain("written in two pieces")
    expect(requests.every((url) => url.startsWith(served.url))).toBe(true)
    expect(alarms).toEqual([])
  })

  test("is shown in eight tabs at once, and followed in each.", async () => {
    const { page } = await open(served.url)
    const tabs = [page]
    while (tabs.length < 8) tabs.push(await page.context().newPage())
    await Promise.all(tabs.slice(1).map((tab) => tab.goto(served.url)))
    for (const tab of tabs) await expect.poll(() => shown(tab)).toContain("the first question")
    await session.append(line(assistantEntry("two", "one", "an answer")))
    for (const tab of tabs) await expect.poll(() => shown(tab)).toContain("an answer")
  })

  test("stays on the chosen branch.", async () => {
    const { page } = await open(served.url)
    await session.append(line(userEntry("two", "one", "left")) + line(userEntry("three", "one", "right")))
    await page.getByRole("treeitem", { name: /left/ }).click()
    await session.append(line(userEntry("four", "three", "further right")))
    await expect.poll(() => page.locator("[role=tree]").textContent()).toContain("further right")
    expect(await shown(page)).toContain("left")
    expect(await shown(page)).not.toContain("right")
    await session.append(line(userEntry("five", "two", "further left")))
    await expect.poll(() => shown(page)).toContain("further left")
  })

  test("is shown anew where it was replaced.", async () => {
    const { page } = await open(served.url)
    await expect.poll(() => shown(page)).toContain("the first question")
    await session.replace(sessionText(testHeader({ title: "Another one" }), userEntry("x", null, "all is new")))
    await expect.poll(() => shown(page)).toContain("all is new")
    expect(await shown(page)).not.toContain("the first question")
    expect(await page.textContent("h1")).toBe("Another one")
  })

  test("has its pictures from the server.", async () => {
    const { page, alarms } = await open(served.url)
    const hash = await blobs.put(picture(24, 12, [9, 9, 9]))
    const content = [{ type: "image", data: `blob:sha256:${hash}`, mimeType: "image/png" }]
    const message = { role: "user", content, timestamp: 1 }
    await session.append(
      line({ type: "message", id: "two", parentId: "one", timestamp: "2026-03-07T14:00:00.000Z", message }),
    )
    await page.locator("[role=feed] img").waitFor()
    expect(await page.locator("[role=feed] img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(24)
    expect(alarms).toEqual([])
  })

  test("is searched without a request, with what was appended since.", async () => {
    const { page, requests, alarms } = await open(served.url)
    await session.append(line(assistantEntry("two", "one", "Füße, **first** of all")))
    await expect.poll(() => shown(page)).toContain("of all")
    const hits = page.getByRole("option")
    await page.getByRole("searchbox").fill("FUSSE first")
    await expect.poll(() => hits.count()).toBe(1)
    expect(await hits.locator("mark").allTextContents()).toEqual(["Füße", "first"])
    await hits.click()
    await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("two")
    const marked = () => page.evaluate(() => [...(CSS.highlights.get("search") ?? [])].map((range) => range.toString()))
    await expect.poll(marked).toEqual(["first", "Füße", "first"])
    expect(requests.some((url) => url.includes("search"))).toBe(false)
    expect(alarms).toEqual([])
  })

  test("says so when its server goes.", async () => {
    const { page } = await open(served.url)
    await expect.poll(() => shown(page)).toContain("the first question")
    await served.close()
    await expect.poll(() => page.textContent(".banner")).toContain("No connection to the server")
    expect(await shown(page)).toContain("the first question")
  })
})
