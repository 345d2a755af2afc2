import { isTreelogError } from "@treelog/session-core"
import { parseQuery, timeSpan } from "@treelog/session-core/search"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { periodOf } from "../door.js"

/** A Monday, local time. */
const NOW = new Date(2026, 10, 23, 12, 30).getTime()

function local(year: number, month: number, day: number, hour = 0, minute = 0): number {
  return new Date(year, month - 1, day, hour, minute).getTime()
}

describe("a query", () => {
  test.each([
    ["flaky  retry", { terms: [{ text: "flaky" }, { text: "retry" }] }],
    ['"flaky retry" x', { terms: [{ text: "flaky retry" }, { text: "x" }] }],
    ['"not closed', { terms: [{ text: "not closed" }] }],
    [
      "-slow retr*",
      {
        terms: [
          { text: "slow", isExcluded: true },
          { text: "retr", isPrefix: true },
        ],
      },
    ],
    ['-"a b"', { terms: [{ text: "a b", isExcluded: true }] }],
    ["role:user role:tool", { terms: [], roles: ["user", "toolCall", "toolResult"] }],
    ['project:shop file:"a b.ts"', { terms: [], project: "shop", file: "a b.ts" }],
    [
      "a since:2026-11-01 until:2026-11-02",
      { terms: [{ text: "a" }], since: local(2026, 11, 1), until: local(2026, 11, 3) },
    ],
    ["agent:codex a", { terms: [{ text: "a" }], agent: "codex" }],
    ["since:last week a", { terms: [{ text: "a" }], since: local(2026, 11, 16) }],
    ["until:this  year", { terms: [], until: local(2027, 1, 1) }],
    ["http://x role: time:5", { terms: [{ text: "http://x" }, { text: "role:" }, { text: "time:5" }] }],
    ['"" - * --', { terms: [{ text: "-" }, { text: "*" }, { text: "--" }] }],
    ["commit --no-verify", { terms: [{ text: "commit" }, { text: "--no-verify" }] }],
    ["-rf -x*", { terms: [{ text: "-rf" }, { text: "-x", isPrefix: true }] }],
    ["rm -rf", { terms: [{ text: "rm" }, { text: "rf", isExcluded: true }] }],
    ["", { terms: [] }],
  ])("%j is read", (text, query) => {
    expect(parseQuery(text, NOW)).toEqual(query)
  })

  it("is read whatever it is, or refused with the value that is wrong", () => {
    const property = fc.property(fc.string({ unit: "grapheme" }), (text) => {
      try {
        expect(Array.isArray(parseQuery(text, NOW).terms)).toBe(true)
      } catch (error) {
        expect(isTreelogError(error, "InvalidArgumentError")).toBe(true)
      }
    })
    fc.assert(property, { numRuns: 2000 })
  })

  it("with a role or a time that is none is refused", () => {
    for (const [text, argument] of [
      ["role:friend", "role"],
      ["role:constructor", "role"],
      ["since:soon", "time"],
      ["until:2026-02-30", "time"],
      ["since:last weekend", "time"],
    ] as const)
      expect(() => parseQuery(text, NOW)).toThrow(
        expect.objectContaining({ code: "InvalidArgumentError", data: expect.objectContaining({ argument }) }),
      )
  })
})

describe("a time", () => {
  test.each([
    ["2026", local(2026, 1, 1), local(2027, 1, 1)],
    ["2026-02", local(2026, 2, 1), local(2026, 3, 1)],
    ["2026-02-28", local(2026, 2, 28), local(2026, 3, 1)],
    ["2026-02-28 14:05", local(2026, 2, 28, 14, 5), local(2026, 2, 28, 14, 6)],
    ["2026-02-28T14:05Z", Date.UTC(2026, 1, 28, 14, 5), Date.UTC(2026, 1, 28, 14, 5)],
    ["30min", NOW - 30 * 60_000, NOW - 30 * 60_000],
    ["2h", NOW - 2 * 3_600_000, NOW - 2 * 3_600_000],
    ["30d", local(2026, 10, 24, 12, 30), local(2026, 10, 24, 12, 30)],
    ["2w", local(2026, 11, 9, 12, 30), local(2026, 11, 9, 12, 30)],
    ["1mo", local(2026, 10, 23, 12, 30), local(2026, 10, 23, 12, 30)],
    ["1y", local(2025, 11, 23, 12, 30), local(2025, 11, 23, 12, 30)],
    ["today", local(2026, 11, 23), local(2026, 11, 24)],
    ["Yesterday", local(2026, 11, 22), local(2026, 11, 23)],
    ["this week", local(2026, 11, 23), local(2026, 11, 30)],
    ["last  week", local(2026, 11, 16), local(2026, 11, 23)],
    ["last month", local(2026, 10, 1), local(2026, 11, 1)],
    ["this year", local(2026, 1, 1), local(2027, 1, 1)],
  ])("%j has its first and its last moment", (text, from, to) => {
    expect(timeSpan(text, NOW)).toEqual({ from, to })
  })

  test.each(["2026-02-30", "2026-02-30T10:00Z", "2026-02-28 10:75", "2026-02-28 24:00", "2026-02-28 10:00:60", "0050"])(
    "%j is refused: there is none",
    (text) => {
      expect(() => timeSpan(text, NOW)).toThrow(expect.objectContaining({ code: "InvalidArgumentError" }))
    },
  )
})

describe("a period", () => {
  test.each([
    [local(2026, 11, 23, 12), "2026-11-23", "2026-W48", "2026-11"],
    [local(2027, 1, 1, 12), "2027-01-01", "2026-W53", "2027-01"],
    [local(2024, 12, 30, 12), "2024-12-30", "2025-W01", "2024-12"],
    [0, "", "", ""],
  ])("of %i is named", (time, day, week, month) => {
    expect([periodOf(time, "day"), periodOf(time, "week"), periodOf(time, "month")]).toEqual([day, week, month])
  })
})
