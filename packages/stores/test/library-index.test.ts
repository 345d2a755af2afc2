import { TreelogError } from "@treelog/session-core"
import type {
  IndexProgress,
  IndexUpdateReport,
  SearchQuery,
  SearchResult,
  SessionIndex,
} from "@treelog/session-core/search"
import { type FoundInSources, Library, type Source } from "@treelog/stores"
import { expect, test } from "vitest"

/** A source with an index of these members; no session of it is listed. */
function sourceWith(name: string, index: Partial<SessionIndex>): Source {
  const storage = { summaries: { find: async () => undefined } }
  const source = { name, madeBy: name, storage, projectOf: () => undefined, index: async () => index }
  return source as unknown as Source
}

/** An index whose update goes on when the test says so. */
class SteppedIndex implements Partial<SessionIndex> {
  onProgress: (progress: IndexProgress) => void = () => {}
  end: (report: IndexUpdateReport | Error) => void = () => {}

  update({ onProgress = () => {} }: Parameters<SessionIndex["update"]>[0] = {}): Promise<IndexUpdateReport> {
    this.onProgress = onProgress
    return new Promise((resolve, reject) => {
      this.end = (report) => (report instanceof Error ? reject(report) : resolve(report))
    })
  }
}

async function updated() {
  const [a, b] = [new SteppedIndex(), new SteppedIndex()]
  const reached: IndexProgress[] = []
  const library = new Library([sourceWith("a", a), sourceWith("b", b)])
  const update = library.update({ onProgress: (progress) => reached.push(progress) })
  // Its indexes are opened.
  await new Promise(setImmediate)
  return { a, b, reached, update }
}

const REPORT = { done: 3, total: 3, bytes: 9, upToDateAfter: 0, read: 2, removed: 1, failed: [], foreign: [] }

test("indexes are brought up to date at the same time, and what is certain is so in each of them", async () => {
  const { a, b, reached, update } = await updated()
  a.onProgress({ done: 1, total: 3, bytes: 5, upToDateAfter: 70 })
  b.onProgress({ done: 2, total: 4, bytes: 6, upToDateAfter: 80 })
  expect(reached).toEqual([
    { done: 1, total: 3, bytes: 5, upToDateAfter: Number.MAX_SAFE_INTEGER },
    { done: 3, total: 7, bytes: 11, upToDateAfter: 80 },
  ])
  const fault = { key: "/broken", code: "StorageError", message: "broken" }
  a.end(REPORT)
  b.end({ ...REPORT, failed: [fault] })
  const sums = { done: 6, total: 6, bytes: 18, upToDateAfter: 0, read: 4, removed: 2 }
  expect(await update).toEqual({ ...sums, failed: [fault], foreign: [] })
})

test("what one index fails with is thrown once the others have ended", async () => {
  const { a, b, update } = await updated()
  a.end(new Error("No SQLite."))
  b.end(REPORT)
  await expect(update).rejects.toThrow("No SQLite.")
})

test("a source whose index cannot be brought up to date is reported, and the others are", async () => {
  const fault = new TreelogError("StorageError", "Gone.", { key: "/b", operation: "read", errno: "EIO" })
  const sources = [
    sourceWith("a", { update: async () => REPORT }),
    sourceWith("b", { update: () => Promise.reject(fault) }),
  ]
  const failed: string[] = []
  expect(await new Library(sources, ({ name }) => failed.push(name)).update()).toMatchObject({ read: 2 })
  expect(failed).toEqual(["b"])
  await expect(new Library(sources.slice(1)).update()).rejects.toThrow("Gone.")
})

/** Hits of a session, each an entry and its time. */
function resultOf(id: string, ...hits: readonly (readonly [entryId: string, time: number])[]): SearchResult {
  const session = { key: id, id, cwd: "/shop", created: 0 }
  const found = hits.map(([entryId, time]) => ({ entryId, time, role: "user", snippet: { text: "", matches: [] } }))
  return { sessions: [{ session, hits: found }], isMore: false } as unknown as SearchResult
}

function search(results: readonly SearchResult[], query: SearchQuery): Promise<FoundInSources> {
  const sources = results.map((result, at) => sourceWith("abc"[at] ?? "", { search: async () => result }))
  return new Library(sources).search(query)
}

const names = ({ sessions }: FoundInSources) =>
  sessions.flatMap(({ source, session, hits }) => hits.map(({ entryId }) => `${source.name} ${session.id} ${entryId}`))

test("hits of several sources are the newest of all, or those of each source in turn", async () => {
  const results = [resultOf("one", ["1", 10], ["2", 30]), resultOf("two", ["3", 20], ["4", 5])]
  const newest = await search(results, { sort: "newest", limit: 3 })
  expect([names(newest), newest.isMore]).toEqual([["a one 2", "a one 1", "b two 3"], true])
  expect(names(await search(results, { sort: "relevance", limit: 2 }))).toEqual(["a one 1", "b two 3"])
})

test("an entry that two copies of a session have is found once, in the first source where nothing else decides", async () => {
  const found = await search([resultOf("one", ["1", 10]), resultOf("one", ["1", 10])], { limit: 1 })
  expect([names(found), found.isMore]).toEqual([["a one 1"], false])
})

test("entries of one id in two copies of a session that say something else are found both", async () => {
  const results = [resultOf("one", ["1", 10]), resultOf("one", ["1", 10])]
  for (const [at, result] of results.entries())
    for (const hit of result.sessions[0]?.hits ?? []) Object.assign(hit, { content: at })
  expect(names(await search(results, { limit: 5 }))).toEqual(["a one 1", "b one 1"])
})

test("an entry with two texts that match is found twice, as in one source", async () => {
  const results = [resultOf("one", ["1", 10], ["1", 10]), resultOf("one", ["1", 10], ["1", 10])]
  expect(names(await search(results, { limit: 5 }))).toEqual(["a one 1", "a one 1"])
})

test("a source is asked only for hits that can be among the first, once there are more than the limit", async () => {
  const asked: (number | undefined)[] = []
  const results = [resultOf("one", ["1", 10]), resultOf("two", ["2", 30]), resultOf("three", ["3", 40])]
  const sources = results.map((result, at) =>
    sourceWith("abc"[at] ?? "", {
      search: async ({ since }) => {
        asked.push(since)
        return result
      },
    }),
  )
  await new Library(sources).search({ sort: "newest", limit: 1, since: 5 })
  await new Library(sources).search({ sort: "relevance", limit: 1, since: 5 })
  expect(asked).toEqual([5, 5, 31, 5, 5, 5])
})
