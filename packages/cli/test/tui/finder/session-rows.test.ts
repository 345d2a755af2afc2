import type { SessionInfo } from "@treelog/session-core"
import type { SearchHit } from "@treelog/session-core/search"
import { plainTerms } from "@treelog/session-core/search"
import { TEST_START } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import type { CommandSource } from "../../door.js"
import { SessionRows, type SessionSort, sessionFound } from "../../door.js"

const [PI, CODEX] = ["pi", "codex"].map((program) => ({ program, madeBy: program }) as CommandSource) as [
  CommandSource,
  CommandSource,
]

function info(id: string, hours: number, more: Partial<SessionInfo> = {}): SessionInfo {
  const time = TEST_START - hours * 3_600_000
  const facts = { messageCount: 2, firstMessage: `first of ${id}`, size: 100, status: "complete" as const }
  return { path: `/store/${id}.jsonl`, id, cwd: "/home/me/shop", created: time, modified: time, ...facts, ...more }
}

function rowsOf(infos: readonly SessionInfo[], sort?: SessionSort, isNamedOnly?: boolean): SessionRows {
  const rows = new SessionRows(sort, isNamedOnly)
  for (const one of infos) rows.put({ ...one, source: PI, copies: [] }, one.cwd === "/home/me/shop")
  return rows
}

const hitsIn = (ids: readonly string[]) =>
  new Map(ids.map((id) => [`/store/${id}.jsonl`, { entryId: `e-${id}` } as SearchHit]))
const nothing = { each: new Map(), together: new Map() }

function found(
  rows: SessionRows,
  query: string,
  said: Record<string, readonly string[]> = {},
  scope: "all" | "project" = "all",
  together: readonly string[] = [],
) {
  const each = new Map(Object.entries(said).map(([term, ids]) => [term, hitsIn(ids)]))
  return rows
    .matching(query, plainTerms(query), { each, together: hitsIn(together) }, scope)
    .map(({ row }) => row.info.id)
}

test("the title that is the query comes first, then titles that begin with it, have its words, and what was said", () => {
  const rows = rowsOf([
    info("said", 1),
    info("words", 2, { name: "test of the flaky kind" }),
    info("begin", 3, { name: "Flaky test of mine" }),
    info("exact", 4, { name: "flaky test" }),
    info("newer", 0, { name: "flaky tests" }),
    info("other", 0),
  ])
  const said = { flaky: ["said"], test: ["said"] }
  expect(found(rows, "flaky test", said)).toEqual(["exact", "newer", "begin", "words", "said"])
  expect(found(rows, "OTHER")).toEqual(["other"])
})

test("sessions in which one message has all words come before those in which they are scattered, at that message", () => {
  const rows = rowsOf([info("scattered", 1), info("together", 2)])
  const said = { flaky: ["scattered", "together"], test: ["scattered", "together"] }
  expect(found(rows, "flaky test", said, "all", ["together"])).toEqual(["together", "scattered"])
  const hit = { entryId: "both" } as SearchHit
  const each = new Map(Object.entries(said).map(([term, ids]) => [term, hitsIn(ids)]))
  const [first] = rows.matching(
    "flaky test",
    ["flaky", "test"],
    { each, together: new Map([["/store/together.jsonl", hit]]) },
    "all",
  )
  expect(first?.hit).toBe(hit)
})

test("copies of a session are one row, at the newest, found by what any of them says", () => {
  const old = { source: PI, path: "/store/old.jsonl" }
  const rows = rowsOf([info("one", 5, { path: old.path })])
  rows.put({ ...info("one", 1), source: CODEX, copies: [old] }, false)
  const [match, ...others] = rows.matching("", [], nothing, "project")
  expect(others).toEqual([])
  expect(match && sessionFound(match, () => undefined)).toMatchObject({ key: "/store/one.jsonl", agent: "codex (pi)" })
  expect(rows.matching("x", ["x"], { ...nothing, each: new Map([["x", hitsIn(["old"])]]) }, "all")).toHaveLength(1)
  // The first message is not shown where there is a name: what was found is.
  const named = rowsOf([info("one", 1, { name: "plain", firstMessage: "a needle", path: "/store/old.jsonl" })])
  const needle = { ...nothing, each: new Map([["needle", hitsIn(["old"])]]) }
  expect(named.matching("needle", ["needle"], needle, "all")).toMatchObject([{ hit: { entryId: "e-old" } }])
  expect(named.matching("needle", ["needle"], nothing, "all")).toMatchObject([{ hit: undefined }])
})

test("orders by activity, creation and name, and keeps what cannot be read behind the others", () => {
  const infos = [
    info("b", 1, { name: "beta 10" }),
    info("a", 2, { name: "beta 9", created: TEST_START }),
    info("broken", 0, { error: { code: "InvalidSessionError", message: "no session" } }),
    info("none", 3),
    info("silent", 4, { firstMessage: "" }),
  ]
  expect(found(rowsOf(infos), "")).toEqual(["b", "a", "none", "silent", "broken"])
  expect(found(rowsOf(infos, "created"), "")).toEqual(["a", "b", "none", "silent", "broken"])
  expect(found(rowsOf(infos, "name", true), "")).toEqual(["a", "b"])
})

test("the project has only what belongs to it", () => {
  const rows = rowsOf([info("here", 1), info("there", 0, { cwd: "/elsewhere" })])
  expect(found(rows, "", {}, "project")).toEqual(["here"])
  rows.drop("/store/here.jsonl")
  expect(rows.count("project")).toBe(0)
})
