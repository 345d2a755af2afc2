import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportPage } from "@treelog/viewer"
import { assistantEntry, assistantMessage, messageEntry, StoredSession, userEntry } from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { describe, expect, onTestFinished, test } from "vitest"
import { seriousFaults } from "../src/accessibility.js"
import { agentArtifacts, agentSession, transcript, withArtifacts } from "../src/agent-session.js"
import { builtPage } from "../src/built-page.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { serveForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()

async function serveLive(artifacts = agentArtifacts, text = agentSession) {
  const session = new StoredSession()
  await session.store(text)
  const served = await serveForTest({ storage: withArtifacts(session.storage, artifacts), key: session.key })
  return { session, ...served }
}

async function serve(artifacts?: Readonly<Record<string, string>>, text?: string): Promise<string> {
  return (await serveLive(artifacts, text)).url
}

async function write(maxTranscriptSize?: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "treelog-agents-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, "session.html")
  const transcripts = Object.entries(agentArtifacts)
    .filter(([name]) => name.endsWith(".jsonl"))
    .map(([name, text]) => ({ id: name.replace(/^.*\/|\.jsonl$/g, ""), chunks: [text] }))
  const { html: page } = await builtPage()
  const options = { title: "Carts", fileName: "carts.jsonl", session: [agentSession], transcripts, page }
  await writeFile(path, exportPage({ ...options, ...(maxTranscriptSize !== undefined && { maxTranscriptSize }) }))
  return `file://${path}`
}

const links = (page: Page) => page.getByRole("button", { name: /^Open the sub-agent/ })
const shown = (page: Page) => page.textContent("[role=feed]")

describe.skipIf(noBrowser)("the transcript of a sub-agent", () => {
  test.each([
    ["a served session", serve],
    ["an exported file", () => write()],
  ])("opens from the call that began it, and Back leads there again, in %s", async (_, where) => {
    const { page, alarms } = await open(await where())
    await expect.poll(() => links(page).count()).toBe(3)
    for (const [index, said] of ["I looked in cart.ts", "A list of lines", "I read cart.test.ts"].entries()) {
      await links(page).nth(index).click()
      await expect.poll(() => shown(page)).toContain(said)
      expect(await shown(page)).not.toContain("Find out how carts work")
      expect(await page.textContent(".bar-title p")).toContain("Sub-agent")
      if (index === 0) await page.goBack()
      else await page.getByRole("button", { name: "Back to the session" }).click()
      await expect.poll(() => shown(page)).toContain("Find out how carts work")
      await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("calls")
    }
    expect(alarms).toEqual([])
  })

  test("is kept by the address, and opens and closes by the keyboard alone", async () => {
    const url = await serve()
    const { page, alarms } = await open(url)
    await links(page).first().waitFor()
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await expect.poll(() => page.getAttribute("article:focus", "data-id")).toBe("calls")
    for (let step = 0; step < 12 && !(await page.locator(".agent-link:focus").count()); step++)
      await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect.poll(() => shown(page)).toContain("I looked in cart.ts")
    const again = await open(page.url())
    await expect.poll(() => shown(again.page)).toContain("I looked in cart.ts")
    await page.keyboard.press("Escape")
    await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("calls")
    expect([...alarms, ...again.alarms]).toEqual([])
  })

  test.each(["nobody", "..", ".", "../..", "..%2Fbytes", "agent-a1/bytes", "%", "notes"])(
    "says so when the address names one that is not there: %s",
    async (id) => {
      const { page } = await open(`${await serve({ ...agentArtifacts, "...jsonl": "{}" })}#?agent=${id}`)
      await expect.poll(() => page.textContent(".notice")).toMatch(/no such transcript|is not a session/)
      await expect.poll(() => shown(page)).toContain("Find out how carts work")
      expect(page.url()).not.toContain("agent=")
    },
  )

  test("is followed while the sub-agent works, and goes on after its server did not answer", async () => {
    const artifacts: Record<string, string> = { ...agentArtifacts }
    const { url } = await serveLive(artifacts)
    const { page, alarms } = await open(`${url}#?agent=agent-a1`)
    await expect.poll(() => shown(page)).toContain("I looked in cart.ts")
    const name = "subagents/agent-a1.jsonl"
    artifacts[name] += `${JSON.stringify(assistantEntry("more", "agent-a1-2", "And in checkout.ts"))}\n`
    await expect.poll(() => shown(page)).toContain("And in checkout.ts")
    // Where the reader is stays: it was only appended.
    await page.keyboard.press("k")
    const current = await page.getAttribute("article[data-current=true]", "data-id")
    await page.route("**/agents/**", (route) => route.abort("connectionreset"))
    artifacts[name] += `${JSON.stringify(assistantEntry("last", "more", "Nothing else"))}\n`
    await expect.poll(() => page.textContent(".banner")).toContain("No connection to the server")
    await page.unrouteAll()
    await expect.poll(() => shown(page)).toContain("Nothing else")
    await expect.poll(() => page.locator(".banner").count()).toBe(0)
    expect(await page.getAttribute("article[data-current=true]", "data-id")).toBe(current)
    artifacts[name] = transcript("agent-a1", "Look for the carts", "All is new")
    await expect.poll(() => shown(page)).toContain("All is new")
    expect(await shown(page)).not.toContain("Nothing else")
    delete artifacts[name]
    await expect.poll(() => page.textContent(".banner")).toContain("was removed")
    expect(alarms.filter((alarm) => !/ERR_CONNECTION_RESET|404/.test(alarm))).toEqual([])
  })

  test("can be opened from a call that still runs, once the sub-agent has begun", async () => {
    const artifacts: Record<string, string> = {}
    const { session, url } = await serveLive(artifacts)
    const { page, alarms } = await open(url)
    await expect.poll(() => shown(page)).toContain("Find out how carts work")
    const content = [{ type: "toolCall", id: "c9", name: "Task", arguments: { prompt: "Count the carts" } }]
    const running = messageEntry("running", "r4", assistantMessage("", { content } as never))
    await session.append(`${JSON.stringify(running)}\n`)
    await expect.poll(() => shown(page)).toContain("Count the carts")
    expect(await links(page).count()).toBe(0)
    artifacts["agent-c9.jsonl"] = transcript("agent-c9", "Count the carts", "One so far")
    await expect.poll(() => links(page).count()).toBe(1)
    await links(page).click()
    await expect.poll(() => shown(page)).toContain("One so far")
    expect(alarms).toEqual([])
  })

  test("can be searched", async () => {
    const texts = ["A cart is empty", "The checkout is full", "Another cart"].map((text, at) =>
      JSON.stringify(userEntry(`said-${at}`, at === 0 ? "agent-a1-2" : `said-${at - 1}`, text)),
    )
    const name = "subagents/agent-a1.jsonl"
    const url = await serve({ [name]: `${agentArtifacts[name]}${texts.join("\n")}\n` })
    const { page, alarms } = await open(`${url}#?agent=agent-a1`)
    await expect.poll(() => shown(page)).toContain("Another cart")
    await page.keyboard.press("/")
    await page.keyboard.type("cart -looked")
    await expect.poll(() => page.getByRole("option").count()).toBe(3)
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("said-0")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("said-2")
    expect(new URL(page.url()).hash).toBe("#said-2?agent=agent-a1")
    expect(alarms).toEqual([])
  })

  test("can be opened once a server answers that did not", async () => {
    const { page } = await open("about:blank")
    let asked = 0
    await page.route("**/agents", (route) => {
      asked += 1
      return route.fulfill({ status: 500, body: "" })
    })
    await page.goto(await serve())
    await expect.poll(() => page.textContent(".notice")).toContain("answered with 500")
    await page.waitForTimeout(1_000)
    expect(await links(page).count()).toBe(0)
    expect(asked).toBe(1)
    await page.unrouteAll()
    await expect.poll(() => links(page).count()).toBe(3)
  })

  test("is left out of a file that would become too large, which says so at the call", async () => {
    const { page } = await open(await write(400))
    await expect.poll(() => page.locator(".agent-links").count()).toBe(3)
    const texts = await page.locator(".agent-links").allTextContents()
    expect(texts.filter((text) => text.includes("too large")).length).toBe(2)
    expect(await links(page).count()).toBe(1)
  })

  test.each([
    ["light", 1_440, 900],
    ["dark", 390, 844],
  ] as const)(
    "has nothing that axe finds serious, nor has the call, %s, %i wide",
    async (colorScheme, width, height) => {
      const { page } = await open(await serve(), { colorScheme, viewport: { width, height }, bypassCSP: true })
      await links(page).first().waitFor()
      expect(await seriousFaults(page)).toEqual([])
      await links(page).first().click()
      await expect.poll(() => shown(page)).toContain("I looked in cart.ts")
      expect(await seriousFaults(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    },
  )

  test("runs and fetches nothing, whatever its names and texts are", async () => {
    const line = (value: object): string => `${JSON.stringify(value)}\n`
    const artifacts: Record<string, string> = {}
    for (const [index, text] of HOSTILE_STRINGS.entries()) {
      const message = { role: "user", content: `Look for the carts ${text}` }
      artifacts[`${index} ${text.replace(/[/\p{Surrogate}]/gu, "_")}.jsonl`] =
        line({ type: "session", version: 3, id: text, cwd: text, timestamp: text }) +
        line({ type: "message", id: text, parentId: null, timestamp: text, message })
    }
    const asked = JSON.stringify(`Look for the carts ${HOSTILE_STRINGS[0]}`)
    const unnamed = agentSession.replace('"agentId":"a1"', '"agentId":"none"')
    const url = await serve(artifacts, unnamed.replace('"Look for the carts"', asked))
    const { page, alarms, requests } = await open(url)
    await links(page).first().click()
    await expect.poll(() => page.textContent(".bar-title p")).toContain("Sub-agent")
    for (const name of Object.keys(artifacts)) {
      const hash = `#?agent=${encodeURIComponent(name.replace(/\.jsonl$/, ""))}`
      await page.evaluate((address) => location.replace(address), hash)
      await expect.poll(() => shown(page)).toContain("Look for the carts")
    }
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([])
    expect(alarms).toEqual([])
  })
})
