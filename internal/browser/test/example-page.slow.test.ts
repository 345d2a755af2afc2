import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { build, defaultClientConditions, type Rollup } from "vite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { dropFiles } from "../src/give-files.js"
import { launch, noBrowser } from "../src/launch.js"
import { sampleSession } from "../src/sample-session.js"

const root = fileURLToPath(new URL("../../../examples/browser", import.meta.url))

const PICTURE = "aGk="

/** Nothing is ever asked of it: what was built answers. */
const ORIGIN = "https://example.test"

describe.skipIf(noBrowser)("examples/browser", () => {
  let page: Page
  const alarms: string[] = []

  beforeAll(async () => {
    const { output } = (await build({
      root,
      logLevel: "error",
      resolve: { conditions: ["@treelog/source", ...defaultClientConditions] },
      build: { write: false },
    })) as Rollup.RollupOutput
    const parts = new Map(output.map((part) => [`/${part.fileName}`, part.type === "chunk" ? part.code : part.source]))
    page = await (await launch()).newPage()
    page.on("pageerror", ({ message }) => alarms.push(message))
    page.on("dialog", (dialog) => {
      alarms.push(dialog.message())
      return dialog.dismiss()
    })
    await page.route("**", (route) => {
      const path = new URL(route.request().url()).pathname
      const body = parts.get(path === "/" ? "/index.html" : path)
      if (body === undefined) return route.abort()
      return route.fulfill({
        body: Buffer.from(body),
        contentType: path.endsWith(".js") ? "text/javascript" : "text/html",
      })
    })
    await page.goto(`${ORIGIN}/`)
  })
  afterAll(() => page?.close())

  const roles = () => page.locator("li").evaluateAll((items) => items.map((item) => item.dataset.role))

  test("shows the messages of a session that is dropped on it.", async () => {
    await dropFiles(page, [{ name: "talk.jsonl", content: sampleSession(PICTURE, PICTURE) }])
    await expect.poll(() => page.textContent("h1")).toBe("talk.jsonl")
    expect(await roles()).toEqual(expect.arrayContaining(["user", "assistant", "toolResult"]))
    expect(await page.textContent("ol")).toContain("A rate limit per API key")
  })

  test("shows markup as text.", async () => {
    const head = { type: "session", version: 3, id: "a", timestamp: "2026-03-02T09:00:00Z", cwd: "/" }
    const content = "<img src=x onerror=alert(1)><b>bold</b>"
    const message = { role: "user", content, timestamp: 1 }
    const entry = { type: "message", id: "b", parentId: null, timestamp: head.timestamp, message }
    await dropFiles(page, [{ name: "markup.jsonl", content: `${JSON.stringify(head)}\n${JSON.stringify(entry)}\n` }])
    await expect.poll(() => page.locator("li").allTextContents()).toEqual([content])
    expect(await page.locator("ol img, ol b").count()).toBe(0)
    expect(alarms).toEqual([])
  })

  test("says what a file is that is no session.", async () => {
    await dropFiles(page, [{ name: "notes.txt", content: "not a session" }])
    await expect.poll(() => page.textContent("h1")).toContain("notes.txt")
    expect(await roles()).toEqual([])
  })
})
