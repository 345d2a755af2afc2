import {
  assistantMessage,
  chain,
  entry,
  messageEntry,
  sessionText,
  testHeader,
  userEntry,
} from "@treelog-internal/test-kit"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { builtPage } from "../src/built-page.js"
import { openSession } from "../src/give-files.js"
import { noBrowser } from "../src/launch.js"
import { hashOf, picture } from "../src/pictures.js"
import { sampleSession } from "../src/sample-session.js"
import { watchedPages } from "../src/watched-page.js"

const inside = picture(40, 20, [29, 107, 75])
const sample = sampleSession(inside.toString("base64"), hashOf(inside))

const call = (id: string, name: string, given: object) => ({ type: "toolCall", id, name, arguments: given })
const answer = (id: string, ...content: object[]) =>
  messageEntry(id, null, { ...assistantMessage(""), content } as never)
const result = (id: string, toolCallId: string, text: string, more: object = {}) =>
  messageEntry(id, null, {
    role: "toolResult",
    toolCallId,
    toolName: "read",
    content: [{ type: "text", text }],
    isError: false,
    ...more,
  } as never)

/** The rendered texts that a highlight colours, and whether each is within the window. */
function highlighted(page: Page, name: string): Promise<{ text: string; isSeen: boolean }[]> {
  return page.evaluate((wanted) => {
    const feed = document.querySelector("[role=feed]")?.getBoundingClientRect()
    return [...(CSS.highlights.get(wanted) ?? [])].map((range) => {
      const { top, bottom } = (range as Range).getBoundingClientRect()
      return {
        text: String(range),
        isSeen: feed !== undefined && top >= feed.top && bottom <= feed.bottom && bottom > 0,
      }
    })
  }, name)
}

describe.skipIf(noBrowser)("Reading a session", () => {
  const open = watchedPages()

  test("a result that was edited for the model is in the block of its call, with the original behind a click.", async () => {
    const entries = chain(
      userEntry("u", null),
      answer("a", call("1", "bash", { command: "make" }), call("2", "bash", { command: "env" })),
      result("r1", "1", "All that it printed"),
      result("r2", "2", "What nobody needs"),
      entry("context_edit", "e1", null, {
        targetId: "r1",
        replacement: { content: [{ type: "text", text: "It built" }] },
      }),
      entry("context_edit", "e2", null, { targetId: "r2", replacement: null }),
    )
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...entries))
    const blocks = page.locator("[data-id=a] .fold.tool")
    expect(await blocks.locator(".badge").allTextContents()).toEqual(["edited for the model", "left out for the model"])
    expect(await page.locator("[data-id=r1], [data-id=r2]").count()).toBe(0)
    await blocks.nth(0).locator(".fold-head").first().click()
    expect(await blocks.nth(0).locator(".result").allTextContents()).toEqual(["It built"])
    await blocks.nth(0).getByRole("button", { name: "Original result" }).click()
    expect(await blocks.nth(0).locator(".result").allTextContents()).toEqual(["It built", "All that it printed"])
    await blocks.nth(1).locator(".fold-head").first().click()
    expect(await blocks.nth(1).textContent()).toContain("The model gets nothing of this result.")
    expect(await blocks.nth(1).locator(".result").count()).toBe(0)
  })

  test("a prompt is what was typed, and what its agent put around it is behind a click, which a hit opens.", async () => {
    const content = "<user_query>\nlight the lamp\n</user_query>\n<open_files>needle.ts</open_files>"
    const prompt = messageEntry("u", null, { role: "user", content, prompt: "light the lamp", timestamp: 0 } as never)
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...chain(prompt, userEntry("v", null, "Another"))))
    const typed = page.locator("[data-id=u]")
    await expect.poll(() => typed.locator(".typed").allTextContents()).toEqual(["light the lamp"])
    expect(await page.locator("[data-id=v] .fold").count()).toBe(0)
    await page.getByRole("searchbox").fill("needle")
    await expect.poll(() => page.locator(".hit").count()).toBe(1)
    await page.getByRole("searchbox").press("Enter")
    await expect.poll(() => typed.locator(".typed").allTextContents()).toEqual(["light the lamp", content])
  })

  test("keys work before anything was pressed with the mouse.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    const feed = page.locator("[role=feed]")
    const left = () => feed.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop)
    expect(await left()).toBeGreaterThan(500)
    await page.keyboard.press("End")
    await expect.poll(left).toBeLessThan(2)
    await page.keyboard.press("Home")
    await expect.poll(() => feed.evaluate((list) => list.scrollTop)).toBe(0)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press("PageDown")
    await expect.poll(() => feed.evaluate((list) => list.scrollTop)).toBeGreaterThan(100)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press("j")
    await expect.poll(() => page.locator("article[data-current=true]").count()).toBe(1)
  })

  test("each hit shows its match: in long folded output, across colours, in edits, and where nothing is shown.", async () => {
    const long = Array.from({ length: 900 }, (_, line) => (line === 700 ? "here is the needle" : `line ${line}`))
    const content = Array.from({ length: 200 }, (_, line) => `const value${line} = "${line}"`).join("\n")
    const entries = chain(
      userEntry("u1", null, "Read it"),
      answer("a1", call("c1", "read", { path: "log.txt" }), call("c2", "write", { path: "a.ts", content })),
      answer("a0", call("c3", "bash", { command: "ls", reason: "kept aside" })),
      result("r1", "c1", long.join("\n")),
      result("r2", "c2", "written"),
      answer("a2", { type: "text", text: "It says **one** word" }),
      ...Array.from({ length: 30 }, (_, index) => userEntry(`u${index + 2}`, null, `more ${index}\n\n`.repeat(4))),
    )
    const { page, alarms } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...entries))
    for (const phrase of ["the needle", "value150 =", "**one** word", "kept aside"]) {
      await page.getByRole("searchbox").fill(`"${phrase}"`)
      await expect.poll(() => page.locator(".hit mark").allTextContents()).toEqual([phrase])
      await page.getByRole("searchbox").press("Enter")
      // Of a command, only the command is shown. The marks of Markdown are not, but its words are.
      const text = phrase === "**one** word" ? "one word" : phrase
      if (phrase === "kept aside")
        await expect.poll(() => page.locator("article .unseen-hit mark").textContent()).toBe(phrase)
      else await expect.poll(() => highlighted(page, "search-current")).toEqual([{ text, isSeen: true }])
    }
    expect(await page.locator("article .unseen-hit").count()).toBe(1)
    await page.getByRole("button", { name: "Clear" }).click()
    await expect.poll(() => highlighted(page, "search")).toEqual([])
    expect(await page.locator("article .unseen-hit").count()).toBe(0)
    expect(alarms).toEqual([])
  })

  test("a hit opens what was folded up before, and colours what comes in sight later.", async () => {
    const entries = chain(
      userEntry("u1", null, "Read it"),
      answer("a1", call("c1", "read", { path: "log.txt" })),
      result("r1", "c1", "a needle"),
      ...Array.from({ length: 60 }, (_, index) => userEntry(`v${index}`, null, `${"text\n".repeat(20)}`)),
      userEntry("last", null, "another needle"),
    )
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...entries))
    const fold = page.locator(".tool .fold-head")
    await fold.click()
    await fold.click()
    await page.getByRole("searchbox").fill("needle")
    await expect.poll(() => page.locator(".hit").count()).toBe(2)
    await page.getByRole("searchbox").press("Enter")
    await expect.poll(() => highlighted(page, "search-current")).toEqual([{ text: "needle", isSeen: true }])
    await fold.click()
    await expect.poll(() => page.locator(".tool .fold-content").count()).toBe(0)
    await page.locator("[role=feed]").evaluate((feed) => feed.scrollTo(0, feed.scrollHeight))
    await expect.poll(async () => (await highlighted(page, "search")).filter(({ isSeen }) => isSeen).length).toBe(1)
  })

  test("what only says where the session stands is no branch, is not counted, and moves nobody.", async () => {
    const mark = (id: string, parentId: string) => entry("custom", id, parentId, { customType: "treelog.leaf" })
    const entries = [
      userEntry("q1", null, "First question"),
      messageEntry("a1", "q1", assistantMessage("First answer")),
      userEntry("q2", "a1", "Second question"),
      messageEntry("a2", "q2", assistantMessage("Second answer")),
      mark("m1", "a1"),
      userEntry("q3", "m1", "Third question"),
      mark("m2", "q1"),
    ]
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...entries))
    const rows = page.locator("[role=treeitem]")
    const feed = page.locator("[role=feed]")
    expect(await page.textContent(".side-head")).toContain("5 entries")
    expect(await page.textContent(".session-head")).toContain("5, 1 on this branch")
    expect(await feed.textContent()).not.toContain("treelog.leaf")
    expect(await page.locator(".fork").count()).toBe(0)
    await page.getByLabel("Tree filter").selectOption("all")
    await expect.poll(() => rows.count()).toBe(5)
    // The branch of the newest entry that says something, though marks were stored later and elsewhere.
    await page.getByRole("treeitem", { name: /First answer/ }).click()
    await expect.poll(() => feed.textContent()).toContain("Third question")
    expect(await page.locator(".fork").allTextContents()).toEqual(["Branch 2 of 2"])
    await page.getByRole("button", { name: "Context" }).click()
    await expect.poll(() => page.locator("article.seen").count()).toBe(3)
  })

  test("counts of tokens say what they count.", async () => {
    const { page } = await open((await builtPage()).url)
    await openSession(page, sample)
    const captions = await page.locator(".session-head dt, .plot-key").allTextContents()
    const ofTokens = captions
      .filter((caption) => /token|context/i.test(caption))
      .map((caption) => caption.split(",")[0])
    expect(ofTokens).toEqual(["Context size", "Tokens used by all branches"])
    await page.getByRole("button", { name: "Context" }).click()
    await page.locator("article.seen").first().waitFor()
    expect(await page.locator(".session-head dt").allTextContents()).toContain("Context size")
    expect(await page.getByRole("table", { name: "What fills the context" }).textContent()).toContain("prompts")
  })

  test("text from right to left is set that way, with its lists, and code in it from left to right.", async () => {
    const said =
      "نعم، أضفت الحد إلى `/login`.\n\n1. الملف `app.ts`\n\n```ts\nawait x()\n```\n\n> اقتباس\n\nAnd this is English."
    const entries = chain(userEntry("q", null, "هل `/login` له حد؟"), messageEntry("a", null, assistantMessage(said)))
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...entries))
    const directions = (selector: string) =>
      page.locator(`article ${selector}`).evaluateAll((found) => found.map((one) => getComputedStyle(one).direction))
    expect(await directions(".typed")).toEqual(["rtl"])
    expect(await directions(".prose > p")).toEqual(["rtl", "ltr"])
    expect(await directions(".prose > ol")).toEqual(["rtl"])
    expect(await directions(".prose > blockquote")).toEqual(["rtl"])
    expect(new Set(await directions("code"))).toEqual(new Set(["ltr"]))
    // The paragraph ends on the left, as its dot does; the number of a list is on the right.
    const box = await page.locator(".prose > p").first().boundingBox()
    const code = await page.locator(".prose > p code").first().boundingBox()
    expect((code?.x ?? 0) - (box?.x ?? 0)).toBeGreaterThan((box?.width ?? 0) / 2)
  })

  test("badges of labels keep their place, whatever stands beside them.", async () => {
    const entries = [
      userEntry("q1", null, "Short"),
      userEntry("q2", "q1", `A question ${"of many words ".repeat(20)}`),
      messageEntry("a1", "q2", assistantMessage("An answer")),
      messageEntry("a2", "a1", assistantMessage("It goes on")),
      ...["q1", "q2", "a1", "a2"].map((targetId, index) =>
        entry("label", `l${index}`, "a2", { targetId, label: "checkpoint" }),
      ),
    ]
    const { page } = await open((await builtPage()).url)
    await openSession(page, sessionText(testHeader(), ...entries))
    const places = () =>
      page.locator(".tree-line .label").evaluateAll((labels) =>
        labels.map((label) => {
          const { left, right } = label.getBoundingClientRect()
          return [left, right]
        }),
      )
    const inTree = await places()
    expect(inTree).toEqual(Array(4).fill(inTree[0]))
    const heads = () =>
      page
        .locator("article .entry-head .label")
        .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().left))
    const before = await heads()
    expect(before).toEqual(Array(4).fill(before[0]))
    await page.locator("article").nth(1).hover()
    expect(await heads()).toEqual(before)
  })
})
