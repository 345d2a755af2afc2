import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import {
  assistantMessage,
  chain,
  messageEntry,
  sessionText,
  testHeader,
  toolResultMessage,
} from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { openSession } from "../src/give-files.js"
import { noBrowser } from "../src/launch.js"
import { picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { watchedPages } from "../src/watched-page.js"

const sample = sampleSession(picture(20, 20, [1, 2, 3]).toString("base64"), "0".repeat(64))

const PAGES = [
  ["wide and light", 1_600, 1_000, "light"],
  ["wide and dark", 1_600, 1_000, "dark"],
  ["narrow and light", 390, 844, "light"],
  ["narrow and dark", 390, 844, "dark"],
] as const

const open = watchedPages()

describe.skipIf(noBrowser)("axe finds nothing serious", () => {
  test.each(PAGES)("in a page that is %s.", async (_, width, height, colorScheme) => {
    // The policy of the page lets no script of somebody else in, such as axe.
    const { page } = await open((await builtPage()).url, { viewport: { width, height }, colorScheme, bypassCSP: true })
    expect(await faultsOf(page)).toEqual([])
    await openSession(page, sample)
    await page.keyboard.press("e")
    expect(await faultsOf(page)).toEqual([])
    await page.locator("[role=feed]").evaluate((feed) => feed.scrollTo(0, feed.scrollHeight / 2))
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press("/")
    await page.keyboard.type("the")
    await page.waitForSelector("[role=option]")
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press("Escape")
    await page.keyboard.press("c")
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press("?")
    expect(await faultsOf(page)).toEqual([])
  })
})

test.skipIf(noBrowser).each(["light", "dark"] as const)(
  "axe finds nothing serious in the colours of output, %s.",
  async (colorScheme) => {
    const { page } = await open((await builtPage()).url, { colorScheme, bypassCSP: true })
    const codes = [1, 2, 3, 4, 7, 9, ...Array.from({ length: 8 }, (_, hue) => [30 + hue, 40 + hue, 90 + hue]).flat()]
    const output = codes.map((code) => `\u001b[${code}m code ${code} \u001b[0m`).join("\n")
    const run = (id: string, parentId: string | null, exitCode: number) =>
      messageEntry(id, parentId, {
        role: "bashExecution",
        command: "colours",
        output,
        exitCode,
        cancelled: false,
        truncated: false,
        timestamp: 1,
      })
    const content = [{ type: "toolCall", id: "call-1", name: "bash", arguments: { command: "colours" } }]
    const failed = chain(
      messageEntry("one", null, assistantMessage("", { content } as never)),
      messageEntry("two", null, toolResultMessage(output, { isError: true } as never)),
    )
    await openSession(page, sessionText(testHeader(), ...failed, run("three", "two", 0), run("four", "three", 1)))
    await page.keyboard.press("e")
    expect(await page.locator(".output [class^=ansi-]").count()).toBe(90)
    expect(await faultsOf(page)).toEqual([])
  },
)

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

const axe = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

async function faultsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await axe)
  // Panels that move in are checked where they stay.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
  const { violations } = await page.evaluate<AxeResult>("axe.run({ resultTypes: ['violations'] })")
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    )
}
