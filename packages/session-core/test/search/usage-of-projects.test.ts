import { assistantMessage, bytesOf, messageEntry, sessionText, testHeader } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { MemorySessionStorage } from "../../src/index.js"
import { MemorySessionIndex, usageOfProjects } from "../../src/search.js"

const usage = { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 12 }

/** A session in `/shop`, one in a worktree of it that is gone, as its program noted, and one in `/blog`. */
async function indexOfThree(): Promise<MemorySessionIndex> {
  const storage = new MemorySessionStorage()
  const store = async (id: string, cwd: string, source?: object): Promise<void> => {
    const header = testHeader({ id, cwd, ...(source && { source: { agent: "codex", ...source } }) })
    const lease = await storage.lease(`memory:${cwd}/${id}`, { access: "exclusive", waitMs: 0 })
    await lease.create([
      bytesOf(sessionText(header, messageEntry(`${id}-1`, null, assistantMessage("Yes", { usage })))),
    ])
    await lease.release()
  }
  await store("here", "/shop")
  await store("gone", "/shop-fix", { repository: "/shop" })
  await store("other", "/blog")
  const index = new MemorySessionIndex(storage)
  await index.update()
  return index
}

const titleOf = (cwd: string, repositoryOf?: () => string | undefined): string =>
  `project ${repositoryOf?.() || cwd}`.replace("/", "")

test("sums by and per project are of what names a session's project, also by what it noted", async () => {
  const index = await indexOfThree()
  const by = await usageOfProjects(index, { by: "project" }, titleOf)
  expect(by.map(({ key, totals }) => [key, totals.calls]).sort()).toEqual([
    ["project blog", 1],
    ["project shop", 2],
  ])
  const per = await usageOfProjects(index, { by: "total", per: "project" }, titleOf)
  expect(per.map(({ key, project, totals }) => [key, project, totals.calls]).sort()).toEqual([
    ["total", "project blog", 1],
    ["total", "project shop", 2],
  ])
})

test("without names of projects they are of folders, and other sums are as they are", async () => {
  const index = await indexOfThree()
  const folders = await usageOfProjects(index, { by: "project" }, undefined)
  expect(folders.map(({ key }) => key).sort()).toEqual(["/blog", "/shop", "/shop-fix"])
  expect(await usageOfProjects(index, { by: "total" }, titleOf)).toEqual(await index.usage({ by: "total" }))
})
