import { SessionManager } from "@treelog/session-core"
import { createSessionRoutes } from "@treelog/viewer/routes"
import { assistantEntry, StoredSession, testHeader } from "@treelog-internal/test-kit"
import type { BrowserContextOptions, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { seriousFaults } from "../src/accessibility.js"
import { agentArtifacts, agentSession, withArtifacts } from "../src/agent-session.js"
import { type HostSite, serveHostSite } from "../src/host-site.js"
import { noBrowser } from "../src/launch.js"
import { hashOf, picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { sampleStores } from "../src/sample-stores.js"
import { closedAfterTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()

/** Opens a host page with parts on it. */
async function openSite(site: HostSite, options: BrowserContextOptions = {}) {
  const server = closedAfterTest(await serveHostSite(site))
  return { server, ...(await open(server.url, options)) }
}

/** The routes of one store with sessions. */
async function routesOf(count = 30) {
  const [store] = await sampleStores({ count, names: ["mine"] })
  if (!store) throw new Error("There is no sample.")
  return { store, answer: createSessionRoutes({ ...store, authorize: () => ({}), base: "/api" }) }
}

const STYLE = `
  html, body { height: 100%; margin: 0; font-size: 30px; color: red }
  main { display: grid; grid-template-columns: 300px 1fr; height: 500px }
  div, span, a, li, article { letter-spacing: 3px !important; text-transform: uppercase !important; border: 4px solid red !important }
  .session-row, .entry { display: none !important }
`
const shadow = (page: Page, part: string) => page.locator(`treelog-part[data-part=${part}]`)

describe.skipIf(noBrowser)("parts on a host page", () => {
  const image = picture(24, 12, [9, 9, 9])
  const session = sampleSession(image.toString("base64"), hashOf(image))

  test("a transcript, its tree and its usage show a file together, under a strict policy", async () => {
    const { page, alarms, requests } = await openSite({
      body: '<main><div id="tree"></div><div id="talk"></div></main><div id="plot"></div>',
      style: STYLE,
      script: `
        import { mountSessionUsage, mountTranscript, mountTree, openSessionView } from "./parts/index.js"
        const file = await (await fetch("talk.jsonl")).blob()
        window.went = []
        const view = openSessionView({ file }, { onTitle: (title) => { document.title = title }, onEntry: (id) => window.went.push(id) })
        mountTranscript(document.querySelector("#talk"), { view })
        mountTree(document.querySelector("#tree"), { view })
        mountSessionUsage(document.querySelector("#plot"), { view })
        window.view = view
      `,
      answer: () => new Response(session),
    })
    await shadow(page, "transcript").locator("[role=feed][aria-busy=false] article").first().waitFor()
    expect(await page.title()).toBe("Rate limits for the API")
    await shadow(page, "tree").getByRole("treeitem").last().click()
    await expect.poll(() => page.evaluate("window.went.length")).toBeGreaterThan(0)
    await expect.poll(() => shadow(page, "transcript").locator("article[data-current=true]").count()).toBe(1)
    expect(await shadow(page, "plot").locator("[role=slider]").count()).toBe(1)
    // Neither the page's address nor its colours are the part's to change.
    expect(new URL(page.url()).hash).toBe("")
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBeUndefined()
    expect(alarms).toEqual([])
    expect(
      requests.filter((url) => !/\/(parts\/[\w-]+\.js|script\.js|style\.css|talk\.jsonl|favicon\.ico)$/.test(url)),
    ).toEqual([])
  })

  test("a session of the routes is followed, and another one is shown in its place", async () => {
    const { store, answer } = await routesOf(3)
    const { page, alarms } = await openSite({
      body: '<div id="talk"></div>',
      style: "#talk { height: 600px }",
      script: `
        import { mountTranscript, openSessionView } from "./parts/index.js"
        let shown
        window.show = (id) => {
          shown?.part.close()
          shown?.view.close()
          const view = openSessionView({ routes: "/api", id })
          shown = { view, part: mountTranscript(document.querySelector("#talk"), { view }) }
        }
        window.show("live")
      `,
      answer: async (request) => {
        if (!request.url.includes("/api/")) return undefined
        return answer(request)
      },
    })
    const transcript = shadow(page, "transcript")
    await expect.poll(() => transcript.locator("[role=alert]").textContent()).toBe("There is no such session.")
    const session = await store.sessions.create("/home/ada/shop", { id: "live" })
    session.appendMessage({ role: "user", content: "The first question", timestamp: Date.now() })
    await session.flush()
    await page.evaluate("window.show('live')")
    await expect
      .poll(() => transcript.locator("article").allTextContents())
      .toContainEqual(expect.stringContaining("The first question"))
    session.appendMessage({ role: "user", content: "One more", timestamp: Date.now() })
    await session.close()
    await expect
      .poll(() => transcript.locator("article").allTextContents())
      .toContainEqual(expect.stringContaining("One more"))
    expect(await page.locator("treelog-part").count()).toBe(1)
    expect(alarms.filter((alarm) => !alarm.includes("404"))).toEqual([])
  })

  test("a sub-agent is opened from its call by the page, and followed", async () => {
    const artifacts: Record<string, string> = { ...agentArtifacts }
    const stored = new StoredSession()
    await stored.store(agentSession.replace(testHeader().id, "live"))
    const sessions = new SessionManager({ storage: withArtifacts(stored.storage, artifacts) })
    const asked: string[] = []
    const authorize = ({ url }: Request) => {
      asked.push(url)
      return {}
    }
    const routes = createSessionRoutes({ sessions, base: "/api", authorize })
    const { page, alarms } = await openSite({
      body: '<main><div id="talk"></div><div id="agent"></div></main>',
      style: "main { height: 600px; display: grid; grid-template-columns: 1fr 1fr } div { height: 600px }",
      script: `
        import { mountTranscript, openSessionView } from "./parts/index.js"
        const session = { routes: "/api", id: "live" }
        const show = (place, more, options) =>
          mountTranscript(document.querySelector(place), { view: openSessionView({ ...session, ...more }, options) })
        show("#talk", {}, {
          onAgent: (agent) => { document.title = agent; show("#agent", { agent }) },
        })
      `,
      answer: (request) => (request.url.includes("/api/") ? routes(request) : undefined),
    })
    const [talk, agent] = ["#talk", "#agent"].map((place) => page.locator(`${place} treelog-part`))
    await talk
      ?.getByRole("button", { name: /^Open the sub-agent/ })
      .first()
      .click()
    await expect.poll(() => agent?.locator("[role=feed]").textContent()).toContain("I looked in cart.ts")
    expect(await page.title()).toBe("agent-a1")
    artifacts["subagents/agent-a1.jsonl"] +=
      `${JSON.stringify(assistantEntry("more", "agent-a1-2", "And elsewhere"))}\n`
    await expect.poll(() => agent?.locator("[role=feed]").textContent()).toContain("And elsewhere")
    // Without `onAgent`, calls have no button.
    expect(await agent?.getByRole("button", { name: /^Open the sub-agent/ }).count()).toBe(0)
    expect(asked.some((url) => url.includes("/agents/agent-a1/state"))).toBe(true)
    expect(alarms).toEqual([])
  })

  test("a session that the page has as bytes is shown", async () => {
    const { page, alarms } = await openSite({
      body: '<div id="talk"></div>',
      style: "#talk { height: 600px }",
      script: `
        import { mountTranscript, openSessionView } from "./parts/index.js"
        const header = { type: "session", version: 3, id: "s", timestamp: "2026-03-02T09:00:00Z", cwd: "/" }
        const entry = { type: "message", id: "a", parentId: null, timestamp: "2026-03-02T09:00:00Z", message: { role: "user", content: "From a blob", timestamp: 1 } }
        const file = new Blob([header, entry].map((line) => JSON.stringify(line) + "\\n"))
        mountTranscript(document.querySelector("#talk"), { view: openSessionView({ file }) })
      `,
    })
    await expect.poll(() => shadow(page, "transcript").locator("article").last().textContent()).toContain("From a blob")
    expect(alarms).toEqual([])
  })

  test("the list, the search and the usage of all sessions lead where the site wants, and keep their filters there", async () => {
    const { store, answer } = await routesOf(40)
    const asked: string[] = []
    const { page, alarms } = await openSite({
      body: '<div id="list"></div><div id="search"></div><div id="usage"></div>',
      style: "div { height: 500px }",
      script: `
        import { mountSearch, mountSessionList, mountUsage } from "./parts/index.js"
        window.opened = []
        window.filters = []
        const send = (request) => fetch(new Request(request, { headers: { authorization: "Bearer me" } }))
        const options = {
          routes: "/api",
          fetch: send,
          hrefOf: ({ id, entryId }) => "/read/" + id + (entryId ? "#" + entryId : ""),
          onOpen: (session, event) => { event.preventDefault(); window.opened.push(session) },
          onFilters: (filters) => window.filters.push(filters),
        }
        window.list = mountSessionList(document.querySelector("#list"), options)
        window.search = mountSearch(document.querySelector("#search"), { ...options, filters: { q: "endpoints" } })
        window.usage = mountUsage(document.querySelector("#usage"), { ...options, filters: { by: "project" } })
      `,
      answer: (request) => {
        if (!request.url.includes("/api/")) return undefined
        asked.push(request.url)
        return request.headers.get("authorization") === "Bearer me"
          ? answer(request)
          : new Response("", { status: 401 })
      },
    })
    const [list, search, usage] = ["sessions", "search", "usage"].map((part) => shadow(page, part)) as [
      ReturnType<typeof shadow>,
      ReturnType<typeof shadow>,
      ReturnType<typeof shadow>,
    ]
    await expect.poll(() => list.locator(".count").textContent()).toBe("40 sessions")
    const row = list.locator(".session-row").first()
    expect(await row.getAttribute("href")).toMatch(/^\/read\/5e40/)
    await row.click()
    await search.locator(".found-hit").first().click()
    const opened = await page.evaluate<{ id: string; entryId?: string }[]>("window.opened")
    expect(opened).toMatchObject([{ id: expect.stringMatching(/^5e40/) }, { entryId: expect.any(String) }])
    const { sessions } = await store.index.search({ terms: [{ text: "endpoints" }], limit: 500 })
    const hits = sessions.reduce((sum, group) => sum + group.hits.length, 0)
    // The first answer can come while sessions are still read into the index.
    await expect.poll(() => search.locator(".count").textContent()).toContain(`${hits} hits`)
    await list.locator("input").fill("retry")
    await expect.poll(() => page.evaluate("window.filters.at(-1)")).toEqual({ q: "retry" })
    await expect.poll(() => list.locator(".count").textContent()).toContain(" of 40 sessions")
    await page.evaluate("window.list.update({ filters: {}, theme: 'dark' })")
    await expect.poll(() => list.locator(".count").textContent()).toBe("40 sessions")
    expect(await list.getAttribute("data-theme")).toBe("dark")
    await usage.getByRole("button", { name: "/home/ada/shop" }).first().click()
    await expect
      .poll(() => page.evaluate("window.filters.at(-1)"))
      .toEqual({ by: "project", project: "/home/ada/shop" })
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/")
    await page.evaluate("[window.list, window.search, window.usage].map((part) => part.close())")
    expect(await page.locator("treelog-part").count()).toBe(0)
    const before = asked.length
    await page.waitForTimeout(5_000)
    expect(asked.slice(before)).toEqual([])
    expect(alarms).toEqual([])
  })

  test("no style of the page applies in a part, none of a part outside, and variables change its looks", async () => {
    const { answer } = await routesOf(5)
    const { page } = await openSite({
      body: '<h2>Mine</h2><div id="list" class="icon faint button"></div>',
      style: `${STYLE} #list { height: 500px } treelog-part { --treelog-ground: rgb(1, 2, 3); --treelog-size: 20px }`,
      script: `
        import { mountSessionList } from "./parts/index.js"
        mountSessionList(document.querySelector("#list"), { routes: "/api", hrefOf: ({ id }) => id, theme: "light" })
      `,
      answer: (request) => (request.url.includes("/api/") ? answer(request) : undefined),
    })
    const styleOf = (selector: string, name: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)
    await page.locator(".session-row").first().waitFor()
    const row = "treelog-part .session-row"
    expect(await styleOf(row, "letter-spacing")).toBe("normal")
    expect(await styleOf(row, "text-transform")).toBe("none")
    expect(await styleOf(row, "border-top-width")).toBe("0px")
    expect(await styleOf(row, "display")).toBe("grid")
    expect(await styleOf("treelog-part", "background-color")).toBe("rgb(1, 2, 3)")
    expect(await styleOf("treelog-part", "font-size")).toBe("20px")
    expect(await styleOf("h2", "margin-top")).not.toBe("0px")
  })

  test("a list is used by keys alone, to its far end", async () => {
    const { answer } = await routesOf(300)
    const { page, alarms } = await openSite({
      body: '<h1>Sessions</h1><main id="list"></main>',
      style: "main { height: 500px }",
      script: `
        import { mountSessionList } from "./parts/index.js"
        mountSessionList(document.querySelector("#list"), { routes: "/api", hrefOf: ({ id }) => "#" + id })
      `,
      answer: (request) => (request.url.includes("/api/") ? answer(request) : undefined),
    })
    const list = shadow(page, "sessions")
    await expect.poll(() => list.locator(".count").textContent()).toBe("300 sessions")
    await list.locator("input").focus()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("j")
    await page.keyboard.press("End")
    await expect.poll(() => list.locator(".session-row").last().textContent()).toBeTruthy()
    const focused = (): Promise<string | null | undefined> =>
      list.evaluate((element) => element.shadowRoot?.activeElement?.getAttribute("href"))
    await expect.poll(focused).toMatch(/299$/)
    await page.keyboard.press("k")
    await expect.poll(focused).toMatch(/298$/)
    await page.keyboard.press("Enter")
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#5e40/)
    expect(alarms).toEqual([])
  })

  test.each(["light", "dark"] as const)("axe finds nothing serious in parts, %s", async (colorScheme) => {
    const { answer } = await routesOf(20)
    const site: HostSite = {
      body: '<h1>Mine</h1><main id="parts"></main>',
      style: "treelog-part { height: 500px }",
      script: `
        import * as parts from "./parts/index.js"
        const place = document.querySelector("#parts")
        const options = { routes: "/api", hrefOf: ({ id }) => "#" + id }
        parts.mountSessionList(place, options)
        parts.mountUsage(place, options)
        const view = parts.openSessionView({ file: await (await fetch("talk.jsonl")).blob() })
        for (const mount of [parts.mountTranscript, parts.mountTree, parts.mountSessionUsage]) mount(place, { view })
      `,
      answer: (request) => (request.url.includes("/api/") ? answer(request) : new Response(session)),
    }
    const { page } = await openSite(site, { colorScheme, bypassCSP: true })
    for (const ready of [".session-row", ".sums tr", "[role=feed][aria-busy=false] article", ".plot"])
      await page.locator(ready).first().waitFor()
    expect(await shadow(page, "usage").getAttribute("data-theme")).toBe(colorScheme)
    expect(await seriousFaults(page)).toEqual([])
  })
})
