import { expect, test } from "vitest"
import { LiveSearch } from "../../../src/tui/frame/live-search.js"
import type { PromptAnswer, PromptRequest } from "../../../src/tui/prompts/prompt-state.js"
import { answer } from "../prompts/prompts.js"

const request = (query: string): PromptRequest => ({ query, scope: "all", limit: 200 })

test("searches one at a time, passes over what is old, and shows only the newest", async () => {
  const [asked, shown]: [string[], string[]] = [[], []]
  const search = new LiveSearch<PromptRequest, PromptAnswer>(async (wanted) => {
    asked.push(wanted.query)
    await Promise.resolve()
    return { request: wanted, prompts: [] }
  })
  const show = (found: PromptAnswer): number => shown.push(found.request.query)
  await Promise.all(["a", "ab", "abc"].map((query) => search.ask(request(query), show)))
  expect({ asked, shown }).toEqual({ asked: ["a", "abc"], shown: ["abc"] })
  await search.ask(request("d"), show)
  expect(shown).toEqual(["abc", "d"])
})

test("a search that fails is reported, and the next one works", async () => {
  let fails = true
  const search = new LiveSearch<PromptRequest, PromptAnswer>(async () => {
    if (fails) throw new Error("no")
    return answer({}, "found")
  })
  await expect(search.ask(request("a"), () => {})).rejects.toThrow("no")
  fails = false
  const shown: PromptAnswer[] = []
  await search.ask(request("a"), (found) => shown.push(found))
  expect(shown).toHaveLength(1)
})
