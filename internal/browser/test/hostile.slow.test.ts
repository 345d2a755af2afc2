import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkEntry, entrySchemas, messageSchemas } from "@treelog/session-core/schema"
import { exportPage } from "@treelog/viewer"
import { StoredSession } from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { foreignMarkupIn } from "../src/foreign-markup.js"
import { dropFiles, openSession } from "../src/give-files.js"
import { hostileEntries, hostileSession } from "../src/hostile-session.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { serveForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const TALL = { viewport: { width: 1_400, height: 4_000 } }

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

  test("stand in an entry of each kind and role that is what the format says.", () => {
    const entries = hostileEntries("<b>").map((entry) =>
      Object.assign(entry, { id: "a", parentId: null, timestamp: "" }),
    )
    const sound = entries.filter((entry) => checkEntry(entry).ok)
    const kinds = new Set(sound.map((entry) => roleOf(entry) ?? entry.type))
    const known = [...Object.keys(entrySchemas), ...Object.keys(messageSchemas)]
    expect(known.filter((kind) => !kinds.has(kind))).toEqual(["message", "reset_boundary"])
  })

  test("would be noticed, if they became anything but text.", async () => {
    const { page } = await open("about:blank")
    const link = '<a href="javascript:1"></a>'
    await page.setContent(
      `<div id="app"><p>text</p><script></script><iframe></iframe><form></form>${link}<img src="data:image/svg+xml,x"><p onclick="1"></p><p>\u202e</p></div>`,
    )
    expect((await foreignMarkupIn(page)).map((stranger) => stranger.split(" ")[0])).toEqual([
      ...["element", "element", "element", "attribute", "link", "source", "control"],
    ])
  })

  test("run nothing and load nothing in the page, in whatever field they are stored.", async () => {
    const { page, requests, alarms } = await open((await builtPage()).url, TALL)
    await openSession(page, hostileSession(HOSTILE_STRINGS), '"><img src=x onerror=tripped(1)>.jsonl')
    await page.keyboard.press("e")
    const strangers = await scanAll(page)
    await page.getByLabel("Tree filter").selectOption("all")
    strangers.push(...(await foreignMarkupIn(page)))
    expect({ strangers, requests, alarms }).toEqual({ strangers: [], requests: [], alarms: [] })
  })

  test("run nothing and load nothing in the exported file.", async () => {
    const { html } = await builtPage()
    const path = join(folder, "session.html")
    const title = HOSTILE_STRINGS.join(" ")
    // All are in the file; those that the page shows in every field are all in the test before.
    const lines = hostileSession(HOSTILE_STRINGS.filter((_, index) => index % 4 === 0))
    const { id: parentId } = JSON.parse(lines.trimEnd().split("\n").at(-1) ?? "")
    const message = { role: "user", content: HOSTILE_STRINGS.join("\n") }
    const all = JSON.stringify({ type: "message", id: "all", parentId, timestamp: "", message })
    const session = [`${lines}${all}\n`]
    await writeFile(path, exportPage({ title, fileName: title, session, page: html }))
    const { page, requests, alarms } = await open(`file://${path}`, TALL)
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    const strangers = await scanAll(page)
    await page.keyboard.press("c")
    await page.getByRole("feed", { name: "What the model sees" }).waitFor()
    strangers.push(...(await foreignMarkupIn(page)))
    await page.getByRole("searchbox").fill("tripped")
    await page.waitForSelector("[role=option]")
    strangers.push(...(await foreignMarkupIn(page)))
    expect({ strangers, requests, alarms }).toEqual({ strangers: [], requests: [], alarms: [] })
  })

  test("run nothing and load nothing in the page of a session that is served, nor in what the model sees of it.", async () => {
    const some = HOSTILE_STRINGS.filter((_, index) => index % 16 === 0)
    const session = new StoredSession()
    await session.store(hostileSession(some))
    const title = HOSTILE_STRINGS.join(" ")
    const served = await serveForTest(session, { title, fileName: title })
    const { page, requests, alarms } = await open(served.url, TALL)
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    await page.keyboard.press("e")
    const strangers = await scanAll(page)
    await page.keyboard.press("c")
    await page.waitForSelector("article.seen")
    strangers.push(...(await scanAll(page)))
    await page.keyboard.press("c")
    const message = { role: "user", content: some.join("\n") }
    await session.append(`${JSON.stringify({ type: "message", id: "late", parentId: null, timestamp: "", message })}\n`)
    await page.waitForSelector("article[data-id=late]")
    strangers.push(...(await foreignMarkupIn(page)))
    const elsewhere = requests.filter((url) => !url.startsWith(served.url))
    expect({ strangers, elsewhere, alarms }).toEqual({ strangers: [], elsewhere: [], alarms: [] })
  })

  test("in the name of a file run nothing either, whether it is shown, chosen from, or refused.", async () => {
    const { page, requests, alarms } = await open((await builtPage()).url)
    const names = HOSTILE_STRINGS.map((hostile) => hostile.replace(/\p{Surrogate}/gu, "\ufffd").replaceAll("/", ":"))
    await dropFiles(
      page,
      names.map((name) => ({ name: `${name}.jsonl`, content: "" })),
    )
    await page.waitForSelector(".start-choice")
    const strangers = await foreignMarkupIn(page)
    for (const name of names.filter((_, index) => index % 9 === 0)) {
      await dropFiles(page, [{ name: `${name}.jsonl`, content: `{"type":"${name}"}` }])
      await page.waitForSelector("[role=alert]")
      strangers.push(...(await foreignMarkupIn(page)))
    }
    expect({ strangers, requests, alarms }).toEqual({ strangers: [], requests: [], alarms: [] })
  })

  test("in a search, an address or a picture's type run nothing either.", async () => {
    const { url } = await builtPage()
    const { page, requests, alarms } = await open(`${url}#${encodeURIComponent("<img src=x onerror=tripped(1)>")}`)
    await openSession(page, hostileSession(HOSTILE_STRINGS.slice(0, 3)))
    for (const hostile of HOSTILE_STRINGS.slice(0, 12)) {
      await page.getByRole("searchbox").fill(hostile)
      await page.waitForTimeout(150)
    }
    expect({ strangers: await foreignMarkupIn(page), requests, alarms }).toEqual({
      strangers: [],
      requests: [],
      alarms: [],
    })
  })
})

function roleOf(entry: Readonly<Record<string, unknown>>): string | undefined {
  return (entry.message as { role?: string } | undefined)?.role
}

/** Goes through everything that is listed, again from the first where heights that were measured late let a step pass over some, and leaves nothing out. */
async function scanAll(page: Page): Promise<string[]> {
  const strangers: string[] = []
  const seen = new Set<string>()
  const feed = page.locator("[role=feed]")
  const all = Number(await feed.locator("article[aria-setsize]").first().getAttribute("aria-setsize"))
  // A step may show nothing new while heights are still being measured; many in turn mean that it is stuck.
  for (let idle = 0; seen.size < all && idle < 200; idle++) {
    strangers.push(...(await foreignMarkupIn(page)))
    for (const position of await positionsOf(page)) {
      if (!seen.has(position)) idle = 0
      seen.add(position)
    }
    await feed.evaluate(async (element) => {
      const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 1
      element.scrollTo(0, isAtEnd ? 0 : element.scrollTop + element.clientHeight - 100)
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
