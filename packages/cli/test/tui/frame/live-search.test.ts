import { expect, test } from "vitest"
import { liveSearch } from "../../door.js"

test("searches one at a time, passes over what is old, and shows only the newest", async () => {
  const [asked, shown]: [string[], string[]] = [[], []]
  const search = liveSearch(async ({ query }: { query: string }) => {
    asked.push(query)
    await Promise.resolve()
    return query
  })
  const show = (found: string): number => shown.push(found)
  await Promise.all(["a", "ab", "abc"].map((query) => search({ query }, show)))
  expect({ asked, shown }).toEqual({ asked: ["a", "abc"], shown: ["abc"] })
  await search({ query: "d" }, show)
  expect(shown).toEqual(["abc", "d"])
})
