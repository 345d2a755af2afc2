import { MemorySessionStorage } from "@treelog/session-core"
import { MemorySessionIndex, type SumOptions, sumUsage, type UsageSums } from "@treelog/session-core/search"
import { assistantMessage, bytesOf, messageEntry, sessionText, testHeader } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"

const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 12 }

/** A session in `/shop`, one in a worktree of it that is gone, as its program noted, and one in `/blog`. */
async function indexOfThree(): Promise<MemorySessionIndex> {
  const storage = new MemorySessionStorage()
  const store = async (id: string, cwd: string, time: string, source?: object): Promise<void> => {
    const header = testHeader({ id, cwd, ...(source && { source: { agent: "codex", ...source } }) })
    const lease = await storage.lease(`memory:${cwd}/${id}`, { access: "exclusive", waitMs: 0 })
    const answer = { ...messageEntry(`${id}-1`, null, assistantMessage("Yes", { usage })), timestamp: time }
    await lease.create([bytesOf(sessionText(header, answer))])
    await lease.release()
  }
  await store("here", "/shop", "2026-11-20T12:00:00.000Z")
  await store("gone", "/shop-fix", "2026-11-22T12:00:00.000Z", { repository: "/shop" })
  await store("other", "/blog", "2026-11-22T13:00:00.000Z")
  const index = new MemorySessionIndex(storage)
  await index.update()
  return index
}

const projectOf = (cwd: string, repositoryOf?: () => string | undefined): string =>
  `project ${repositoryOf?.() || cwd}`.replace("/", "")

async function sum(kinds: Parameters<typeof sumUsage>[2], options: SumOptions): Promise<UsageSums<string>> {
  const index = await indexOfThree()
  return sumUsage(index, {}, kinds, { ...options, sourceOf: () => "pi" })
}

test("sums by project are of what a session's project is named by, also by what it noted", async () => {
  const sums = await sum(["project", "session"], { projectOf })
  expect(sums.rows("project").map(({ key, totals }) => [key, totals.calls])).toEqual([
    ["project shop", 2],
    ["project blog", 1],
  ])
  expect(
    sums
      .rows("session")
      .map(({ source, session }) => [source, session?.id])
      .sort(),
  ).toEqual([
    ["pi", "gone"],
    ["pi", "here"],
    ["pi", "other"],
  ])
})

test("without names of projects they are of folders", async () => {
  const sums = await sum(["project"], {})
  expect(
    sums
      .rows("project")
      .map(({ key }) => key)
      .sort(),
  ).toEqual(["/blog", "/shop", "/shop-fix"])
})

test("a row has the shares of projects, or of models, that add up to it", async () => {
  for (const shares of ["project", "model"] as const) {
    const [first, second] = (await sum(["day"], { projectOf, shares })).rows("day")
    expect(first?.shares?.map(({ key, totals }) => [key, totals.calls])).toEqual(
      shares === "project" ? [["project shop", 1]] : [["anthropic/claude-test", 1]],
    )
    expect(second?.shares?.reduce((calls, { totals }) => calls + totals.calls, 0)).toBe(2)
  }
})

test("each span of time has its own prices, and the total is the sum of the rows", async () => {
  const changed = Date.parse("2026-11-21T00:00:00.000Z")
  const prices = {
    at:
      (time = Number.POSITIVE_INFINITY) =>
      () =>
        time < changed ? 1 : 10,
    changes: [changed],
  }
  const sums = await sum(["day", "model", "total"], { prices })
  expect(sums.rows("day").map(({ cost }) => cost.estimated)).toEqual([1, 10])
  expect(sums.rows("model").map(({ cost, totals }) => [cost.estimated, totals.calls])).toEqual([[11, 3]])
  expect(sums.rows("total")).toEqual([sums.total])
  expect(sums.total.totals).toMatchObject({ calls: 3, totalTokens: 36 })
})

test("of nothing there are no rows, and a total of nothing", async () => {
  const sums = await sumUsage({ usage: async () => [] }, {}, ["day", "total"])
  expect([sums.rows("day"), sums.rows("total"), sums.parts]).toEqual([[], [], []])
  expect(sums.total.totals.calls).toBe(0)
})

test("a sum by session has a row for each source, though their sessions have the same key", async () => {
  const usages = [{ model: "m", usage: { ...usage, calls: 1, cost: 0 } }]
  const row = (source: string) => {
    const session = { key: "1", source, id: "1", cwd: "/shop", name: "", created: 1 }
    return { key: "1", session, usages, totals: { ...usage, calls: 1, cost: 0 } }
  }
  for (const rows of [
    [row("cline"), row("kilo")],
    [row("kilo"), row("cline")],
  ]) {
    const sums = await sumUsage({ usage: async () => rows }, {}, ["session"], { sourceOf: ({ source }) => source })
    expect(sums.rows("session").map(({ source, totals }) => [source, totals.calls])).toEqual([
      ["cline", 1],
      ["kilo", 1],
    ])
  }
})
