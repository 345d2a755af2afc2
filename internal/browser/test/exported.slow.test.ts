import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportPage } from "@treelog/viewer"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { noBrowser } from "../src/launch.js"
import { hashOf, picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { watchedPages } from "../src/watched-page.js"

const inside = picture(40, 20, [29, 107, 75])
const sample = sampleSession(inside.toString("base64"), hashOf(inside))

describe.skipIf(noBrowser)("an exported page", () => {
  const open = watchedPages()
  let folder = ""
  let path = ""
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "treelog-export-"))
    path = join(folder, "session.html")
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = async (session: Iterable<string | Uint8Array>): Promise<void> => {
    const { html } = await builtPage()
    await writeFile(path, exportPage({ title: "Rate limits", fileName: "limits.jsonl", session, page: html }))
  }

  test("shows its session, asks for nothing, and gives the session back as it was.", async () => {
    await write([sample])
    const { page, requests, alarms } = await open(`file://${path}`)
    await page.waitForSelector("[role=feed][aria-busy=false] article")
    expect(await page.title()).toBe("Rate limits for the API")
    expect(await page.textContent("h1")).toBe("Rate limits for the API")
    expect(await page.textContent("[role=feed]")).toContain("someone scraped the whole catalogue")
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the session as a file" }).click(),
    ])
    expect(saved.suggestedFilename()).toBe("limits.jsonl")
    expect(await readFile(await saved.path(), "utf8")).toBe(sample)
    expect([...requests, ...alarms].filter((request) => !request.startsWith("blob:"))).toEqual([])
  })

  test("has a policy that lets nothing in but itself, and nothing of the session in the clear.", async () => {
    await write([sample])
    const html = await readFile(path, "utf8")
    const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? []
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src data:; /,
    )
    expect(policy).not.toMatch(/https?:|\*|unsafe/)
    expect(html).not.toContain("catalogue")
    expect(html.match(/<script/g)?.length).toBe(3)
  })

  test("leads to the entry that its address names.", async () => {
    await write([sample])
    const id = JSON.parse(sample.split("\n").find((line) => line.includes("All 214 tests pass")) ?? "").id
    const { page } = await open(`file://${path}#${id}`)
    await page.waitForSelector(`article[data-current=true][data-id="${id}"]`)
  })

  test("says so when its end is missing.", async () => {
    await write([sample])
    const html = await readFile(path, "utf8")
    await writeFile(path, html.slice(0, html.indexOf('<script type="application/x-treelog-end">')))
    const { page } = await open(`file://${path}`)
    await expect.poll(() => page.textContent("[role=alert]")).toContain("The end of this page is missing")
    expect(await page.textContent("[role=feed]")).toContain("someone scraped the whole catalogue")
  })
})
