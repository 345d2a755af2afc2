import { join } from "node:path"
import type { ImportedPrompt } from "@treelog/session-core/prompt-history"
import { describe, expect, it } from "vitest"
import { expectSound } from "./expect-sound.js"
import { openHistory, textsOf } from "./open-history.js"
import { tempFolder } from "./temp-folder.js"

/** Prompts of the seconds from `first` on; one in ten is always the same. */
function prompts(name: string, first: number, count: number): ImportedPrompt[] {
  return Array.from({ length: count }, (_, at) => ({
    text: at % 10 === 0 ? "continue" : `${name} ${at}`,
    createdAt: (first + at * 2) * 1000,
    cwd: `/home/user/project-${at % 7}`,
    sessionId: name,
  }))
}

function newestFirst(all: readonly ImportedPrompt[]): string[] {
  return [...new Set([...all].sort((a, b) => b.createdAt - a.createdAt).map(({ text }) => text))]
}

describe("prompts that come after newer ones", () => {
  it.each([
    ["all of them older", 100_001, 6000, 1, 5000],
    ["among the newest of many", 1, 20_000, 39_500, 40],
    ["so that thousands move, and more stay", 2, 30_000, 42_001, 50],
    ["in between all the time", 2, 6000, 1, 6000],
  ])("take their place: %s", async (_, first, count, second, late) => {
    const path = join(tempFolder(), "history.db")
    const history = openHistory(path)
    const [early, others] = [prompts("early", first, count), prompts("late", second, late)]
    await history.import(early)
    await history.import([...others].reverse())
    const expected = newestFirst([...early, ...others])
    expect(await textsOf(history.recent({ limit: 50_000 }))).toEqual(expected)
    expect(await textsOf(history.search("te 3", { limit: 50_000 }))).toEqual(
      expected.filter((text) => text.includes("te") && text.includes("3")),
    )
    await history.close()
    expectSound(path)
  })

  it("are found after an import that was aborted, as far as it came", async () => {
    const path = join(tempFolder(), "history.db")
    const history = openHistory(path)
    const controller = new AbortController()
    async function* aborting() {
      yield* prompts("early", 1, 9000)
      controller.abort()
      yield* prompts("late", 1, 1)
    }
    await expect(history.import(aborting(), { signal: controller.signal })).rejects.toThrow("abort")
    expect(await history.stats()).toMatchObject({ stored: 8000 })
    expect(await history.search("early 79", { limit: 3000 })).toHaveLength(
      newestFirst(prompts("early", 1, 8000)).filter((text) => text.includes("79")).length,
    )
    await history.close()
  })
})

it("finds the prompts of all folders of a repository, however many", async () => {
  const history = openHistory(join(tempFolder(), "history.db"))
  const many = Array.from({ length: 600 }, (_, at) => ({
    text: `prompt ${at}`,
    createdAt: at * 1000,
    cwd: `/r${at % 2}/${at}`,
  }))
  await history.import(many)
  const found = await textsOf(history.search("prompt", { scope: { kind: "repository", roots: ["/r1"] }, limit: 1000 }))
  expect(found).toEqual(
    many
      .map(({ text }) => text)
      .filter((_, at) => at % 2 === 1)
      .reverse(),
  )
})
