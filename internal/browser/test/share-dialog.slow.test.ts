import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TreelogError } from "@treelog/session-core"
import { exportPage, type SessionSharing, type SharedSecret } from "@treelog/viewer"
import { assistantEntry, StoredSession, sessionText, testHeader, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, onTestFinished, test } from "vitest"
import { seriousFaults } from "../src/accessibility.js"
import { builtPage } from "../src/built-page.js"
import { HOSTILE_STRINGS } from "../src/hostile-strings.js"
import { noBrowser } from "../src/launch.js"
import { serveForTest } from "../src/test-servers.js"
import { watchedPages } from "../src/watched-page.js"

const open = watchedPages()

const text = sessionText(
  testHeader(),
  userEntry("one", null, "the key is k"),
  assistantEntry("two", "one", "thank you"),
)
const shared = sessionText(testHeader(), userEntry("one", null, "the key is [redacted]"))

const FOUND: readonly SharedSecret[] = [
  { kind: "github token", entryId: "one", place: "message.content" },
  { kind: "password in a URL", entryId: "two", place: "message.content[0].text" },
  { kind: "password in a URL", entryId: "a", place: "message.content", agent: "agent-1" },
]

/** @returns the address of the page */
async function serve(findSecrets: SessionSharing["findSecrets"], withButton = true): Promise<string> {
  const session = new StoredSession()
  await session.store(text)
  const { html: page } = await builtPage()
  const sharing: SessionSharing = {
    findSecrets,
    page: () => exportPage({ title: "Shared", fileName: "shared.jsonl", session: [shared], page }),
  }
  return (await serveForTest(session, withButton ? { sharing } : {})).url
}

async function* found(secrets: readonly SharedSecret[] = FOUND): AsyncGenerator<SharedSecret> {
  yield* secrets
}

describe.skipIf(noBrowser)("the dialog for sharing", () => {
  test("lists by the keyboard alone what is taken out, leads to a place, and saves a file without it that has no such button", async () => {
    const { page, alarms } = await open(await serve(() => found()))
    const button = page.getByRole("button", { name: "Share a copy without secrets" })
    await button.focus()
    await page.keyboard.press("Enter")
    await expect.poll(() => page.textContent("dialog")).toContain("3 secrets will be taken out")
    expect(await page.locator("dialog summary").allTextContents()).toEqual(["password in a URL 2", "github token 1"])
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    for (let step = 0; step < 10 && !(await focused())?.startsWith("github token"); step++)
      await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await focused()).toBe("message.content")
    await page.keyboard.press("Enter")
    await expect.poll(() => page.getAttribute("article[data-current=true]", "data-id")).toBe("one")
    expect(await page.locator("dialog").count()).toBe(0)
    await button.click()
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Save the file" }).click(),
    ])
    expect(saved.suggestedFilename()).toBe("test-session.html")
    // Without the suffix, a browser would show its source.
    const folder = await mkdtemp(join(tmpdir(), "treelog-shared-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, saved.suggestedFilename())
    await saved.saveAs(path)
    expect(await readFile(path, "utf8")).toContain("x-treelog-session")
    const copy = await open(`file://${path}`)
    await expect.poll(() => copy.page.textContent("body")).toContain("the key is [redacted]")
    expect(await copy.page.getByRole("button", { name: "Share a copy without secrets" }).count()).toBe(0)
    expect([...alarms, ...copy.alarms]).toEqual([])
  })

  test("says so when nothing was found, and what it cannot find", async () => {
    const { page } = await open(await serve(() => found([])))
    await page.getByRole("button", { name: "Share a copy without secrets" }).click()
    await expect.poll(() => page.textContent("dialog")).toContain("Nothing was found that looks like a secret")
    expect(await page.textContent("dialog")).toContain("Read it before you share it")
  })

  test("offers no file when the search for secrets fails", async () => {
    const { page } = await open(
      // biome-ignore lint/correctness/useYield: It fails before the first one.
      await serve(async function* () {
        throw new TreelogError("StorageError", "A line is too long.", { key: "k", operation: "scan", errno: undefined })
      }),
    )
    await page.getByRole("button", { name: "Share a copy without secrets" }).click()
    await page.waitForSelector("dialog [role=alert]")
    expect(await page.getByRole("link", { name: "Save the file" }).count()).toBe(0)
  })

  test("is not there where the server makes no file", async () => {
    const { page } = await open(await serve(() => found(), false))
    await page.waitForSelector("article")
    expect(await page.getByRole("button", { name: "Share a copy without secrets" }).count()).toBe(0)
  })

  test("runs and fetches nothing, whatever the names of kinds and places are", async () => {
    const secrets = HOSTILE_STRINGS.map((hostile) => ({
      kind: hostile,
      place: hostile,
      entryId: hostile,
      agent: hostile,
    }))
    const url = await serve(() => found(secrets))
    const { page, alarms, requests } = await open(url)
    await page.getByRole("button", { name: "Share a copy without secrets" }).click()
    await expect.poll(() => page.textContent("dialog")).toContain("secrets will be taken out")
    await page.locator("dialog details").evaluateAll((all) => {
      for (const details of all) (details as HTMLDetailsElement).open = true
    })
    await page.waitForTimeout(100)
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([])
    expect(alarms).toEqual([])
  })

  test.each([
    ["light", 1_440, 900],
    ["dark", 1_440, 900],
    ["light", 390, 844],
    ["dark", 390, 844],
  ] as const)("has nothing that axe finds serious, %s, %i wide", async (colorScheme, width, height) => {
    const options = { colorScheme, viewport: { width, height }, bypassCSP: true }
    const { page } = await open(await serve(() => found()), options)
    await page.getByRole("button", { name: "Share a copy without secrets" }).click()
    await page.locator("dialog summary").first().click()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
})
