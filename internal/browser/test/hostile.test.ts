import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportPage } from "@treelog/viewer"
import type { Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { openSession } from "../src/give-files.js"
import { hostileSession } from "../src/hostile-session.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { strangersIn } from "../src/strangers.js"
import { watchedPages } from "../src/watched-page.js"

const TALL = { viewport: { width: 1_400, height: 4_000 } }
/** Some four thousand entries are drawn, each of them several times. */
const LONG = 240_000

describe.skipIf(noBrowser)("hostile strings", () => {
  const open = watchedPages()
  let folder = ""
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "treelog-hostile-"))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test("are more than sixty, none twice.", () => {
    expect(new Set(HOSTILE_STRINGS).size).toBe(HOSTILE_STRINGS.length)
    expect(HOSTILE_STRINGS.length).toBeGreaterThan(60)
  })

  test("would be noticed, if they became anything but text.", async () => {
    const { page } = await open("about:blank")
    const link = '<a href="javascript:1"></a>'
    await page.setContent(
      `<div id="app"><p>text</p><script></script><iframe></iframe><form></form>${link}<img src="data:image/svg+xml,x"><p onclick="1"></p><p>\u202e</p></div>`,
    )
    expect((await strangersIn(page)).map((stranger) => stranger.split(" ")[0])).toEqual([
      ...["element", "element", "element", "attribute", "link", "source", "control"],
    ])
  })

  test(
    "run nothing and load nothing in the page, in whatever field they are stored.",
    async () => {
      const { page, requests, alarms } = await open((await builtPage()).url, TALL)
      await openSession(page, hostileSession(HOSTILE_STRINGS), '"><img src=x onerror=tripped(1)>.jsonl')
      await page.keyboard.press("e")
      const strangers = await lookAtAll(page)
      await page.getByLabel("What the tree shows").selectOption("everything")
      strangers.push(...(await strangersIn(page)))
      expect({ strangers, requests, alarms }).toEqual({ strangers: [], requests: [], alarms: [] })
    },
    LONG,
  )

  test(
    "run nothing and load nothing in the exported file.",
    async () => {
      const { html } = await builtPage()
      const path = join(folder, "session.html")
      const title = HOSTILE_STRINGS.join(" ")
      const session = [hostileSession(HOSTILE_STRINGS)]
      await writeFile(path, exportPage({ title, fileName: title, session, page: html }))
      const { page, requests, alarms } = await open(`file://${path}`, TALL)
      await page.waitForSelector("[role=feed][aria-busy=false] article")
      const strangers = await lookAtAll(page)
      await page.keyboard.press("c")
      await page.waitForSelector("article.seen")
      strangers.push(...(await lookAtAll(page)))
      await page.getByRole("searchbox").fill("tripped")
      await page.waitForSelector("[role=option]")
      strangers.push(...(await strangersIn(page)))
      expect({ strangers, requests, alarms }).toEqual({ strangers: [], requests: [], alarms: [] })
    },
    LONG,
  )

  test("in a search, an address or a picture's type run nothing either.", async () => {
    const { url } = await builtPage()
    const { page, requests, alarms } = await open(`${url}#${encodeURIComponent("<img src=x onerror=tripped(1)>")}`)
    await openSession(page, hostileSession(HOSTILE_STRINGS.slice(0, 3)))
    for (const hostile of HOSTILE_STRINGS.slice(0, 12)) {
      await page.getByRole("searchbox").fill(hostile)
      await page.waitForTimeout(150)
    }
    expect({ strangers: await strangersIn(page), requests, alarms }).toEqual({
      strangers: [],
      requests: [],
      alarms: [],
    })
  })
})

/** Goes through everything that is listed, from the first to the last, and leaves nothing out. */
async function lookAtAll(page: Page): Promise<string[]> {
  const strangers: string[] = []
  const seen = new Set<string>()
  const feed = page.locator("[role=feed]")
  const all = Number(await feed.locator("article[aria-setsize]").first().getAttribute("aria-setsize"))
  // A step may show nothing new while heights are still being measured; many in turn mean that it is stuck.
  for (let idle = 0; seen.size < all && idle < 20; idle++) {
    strangers.push(...(await strangersIn(page)))
    for (const position of await positionsOf(page)) {
      if (!seen.has(position)) idle = 0
      seen.add(position)
    }
    await feed.evaluate(async (element) => {
      element.scrollBy(0, element.clientHeight - 100)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    })
  }
  expect(seen.size).toBe(all)
  return [...new Set(strangers)]
}

function positionsOf(page: Page): Promise<string[]> {
  return page
    .locator("[role=feed] article[aria-posinset]")
    .evaluateAll((articles) => articles.map((article) => article.ariaPosInSet ?? ""))
}
