import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { GET, sessions } from "../../../examples/viewer/list/route.js"
import { builtParts } from "../src/built-page.js"
import { type HostSite, serveHostSite } from "../src/host-site.js"
import { noBrowser } from "../src/launch.js"
import { sampleSession } from "../src/sample-session.js"
import { closedAfterTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const fileOf = (path: string) => fileURLToPath(new URL(`../../../examples/viewer/${path}`, import.meta.url))

const open = watchedPages()

async function serve(site: HostSite): Promise<string> {
  return closedAfterTest(await serveHostSite(site)).url
}

describe.skipIf(noBrowser)("examples/viewer", () => {
  test("list: shows the sessions of the route, and keeps its filters in the address", async () => {
    for (const [id, content] of [
      ["red", "Why is the build red?"],
      ["field", "Add a discount field"],
    ] as const) {
      const session = await sessions.create("/srv/shop", { id })
      session.appendMessage({ role: "user", content, timestamp: Date.now() })
      await session.close()
    }
    const { outputFiles } = await build({
      stdin: {
        contents:
          'import { showSessions } from "./page.ts"; window.hide = showSessions(document.querySelector("#list"))',
        resolveDir: fileOf("list"),
      },
      bundle: true,
      write: false,
      format: "esm",
      external: ["@treelog/viewer/parts"],
    })
    const url = await serve({
      body: '<div id="list"></div>',
      style: "#list { height: 600px }",
      script: (outputFiles[0]?.text ?? "").replace('"@treelog/viewer/parts"', '"/parts/index.js"'),
      answer: (request) =>
        request.url.includes("/api/")
          ? GET(new Request(request.url, { headers: { cookie: "user=ada" }, signal: request.signal }))
          : undefined,
    })
    const { page, alarms } = await open(url)
    await expect.poll(() => page.locator(".count").textContent()).toBe("2 sessions")
    await page.locator("#find").fill("discount")
    await expect.poll(() => page.locator(".session-row").count()).toBe(1)
    expect(await page.locator(".session-row").getAttribute("href")).toBe("/sessions/field")
    expect(new URL(page.url()).search).toBe("?q=discount")
    await page.evaluate("window.hide()")
    expect(await page.locator("treelog-part").count()).toBe(0)
    expect(alarms).toEqual([])
  })

  test("transcript: shows a file in a static page, at the entry of the address", async () => {
    const parts = await builtParts()
    const url = await serve({
      body: "",
      script: "",
      answer: async (request) => {
        const path = new URL(request.url).pathname.replace("/site/", "")
        if (path === "session.jsonl") return new Response(sampleSession("", "0".repeat(64)))
        const part = parts.get(path.replace("parts/", ""))
        const type = path.endsWith("js") ? "text/javascript" : path.endsWith("css") ? "text/css" : "text/html"
        if (path === "favicon.ico") return undefined
        const text = part ?? (await readFile(fileOf(`transcript/${path || "index.html"}`), "utf8"))
        return new Response(text, { headers: { "content-type": type } })
      },
    })
    const { page, alarms } = await open(`${url}site/`)
    await page.locator("[role=feed][aria-busy=false] article").first().waitFor()
    expect(await page.locator("h1").textContent()).toBe("Rate limits for the API")
    await page.locator("[role=feed]").focus()
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#./)
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1))
    await page.reload()
    await expect.poll(() => page.locator("article[data-current=true]").getAttribute("data-id")).toBe(id)
    expect(alarms).toEqual([])
  })
})
