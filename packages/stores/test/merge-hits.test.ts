import type { SearchQuery, SearchResult } from "@treelog/session-core/search"
import { expect, test } from "vitest"
import { type JointHits, mergeHits, searchStores } from "../src/merge-hits.js"

/** Hits of a session, each an entry and its time. */
function resultOf(id: string, ...hits: readonly (readonly [entryId: string, time: number])[]): SearchResult {
  const session = { key: id, id, cwd: "/shop", created: 0 }
  const found = hits.map(([entryId, time]) => ({ entryId, time, role: "user", snippet: { text: "", matches: [] } }))
  return { sessions: [{ session, hits: found }], isMore: false } as unknown as SearchResult
}

const names = ({ sessions }: JointHits<string>) =>
  sessions.flatMap(({ store, session, hits }) => hits.map(({ entryId }) => `${store} ${session.id} ${entryId}`))

test("hits of several stores are the newest of all, or those of each store in turn", () => {
  const results = [
    { store: "a", result: resultOf("one", ["1", 10], ["2", 30]) },
    { store: "b", result: resultOf("two", ["3", 20], ["4", 5]) },
  ]
  const newest = mergeHits(results, { sort: "newest", limit: 3 })
  expect([names(newest), newest.isMore]).toEqual([["a one 2", "a one 1", "b two 3"], true])
  expect(names(mergeHits(results, { sort: "relevance", limit: 2 }))).toEqual(["a one 1", "b two 3"])
})

test("an entry that two copies of a session have is found once, in the first store", () => {
  const results = ["a", "b"].map((store) => ({ store, result: resultOf("one", ["1", 10]) }))
  const { sessions, isMore } = mergeHits(results, { sort: "newest", limit: 1 })
  expect([names({ sessions, isMore }), isMore]).toEqual([["a one 1"], false])
})

test("entries of one id in two copies of a session that say something else are found both", () => {
  const results = ["a", "b"].map((store) => ({ store, result: resultOf("one", ["1", 10]) }))
  for (const [at, { result }] of results.entries())
    for (const hit of result.sessions[0]?.hits ?? []) Object.assign(hit, { content: at })
  expect(names(mergeHits(results, { sort: "newest", limit: 5 }))).toEqual(["a one 1", "b one 1"])
})

test("an entry with two texts that match is found twice, as in one store", () => {
  const results = [
    { store: "a", result: resultOf("one", ["1", 10], ["1", 10]) },
    { store: "b", result: resultOf("one", ["1", 10], ["1", 10]) },
  ]
  expect(names(mergeHits(results, { sort: "newest", limit: 5 }))).toEqual(["a one 1", "a one 1"])
})

test("a store is asked only for hits that can be among the first, once there are more than the limit", async () => {
  const asked: (number | undefined)[] = []
  const results = [resultOf("one", ["1", 10]), resultOf("two", ["2", 30]), resultOf("three", ["3", 40])]
  const stores = results.map((result) => {
    const search = async ({ since }: SearchQuery): Promise<SearchResult> => {
      asked.push(since)
      return result
    }
    return { index: { search }, query: { limit: 1, since: 5 } }
  })
  await searchStores(stores, { sort: "newest", limit: 1 })
  await searchStores(stores, { sort: "relevance", limit: 1 })
  expect(asked).toEqual([5, 5, 31, 5, 5, 5])
})
