import { cleanTabbed } from "@treelog-internal/text"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { callSubject, toolCallOf } from "../../src/page/session/tool-call.js"
import { lineWithoutMarkdown, readableLine } from "../../src/page/text/readable-text.js"
import { nearestPoint, plotScale } from "../../src/page/view/usage/plot-scale.js"

describe("Readable text", () => {
  test("has no character that hides, steers or turns around, whatever it is made of.", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const text of [cleanTabbed(value), readableLine(value)])
          expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/u)
        expect(readableLine(value)).not.toMatch(/[\n\t]/)
      }),
    )
  })

  test("stays as it is where there is nothing of that sort.", () => {
    expect(cleanTabbed("a\n\tb 你好 ✅ é")).toBe("a\n\tb 你好 ✅ é")
    expect(cleanTabbed("\u001b[1;32mgreen\u001b[0m\r\nnext\u0007 \u202e")).toBe("green\nnext\\x07 \\u202e")
  })

  test("in one line is cut between characters, and loses marks of Markdown where it is asked to.", () => {
    expect(readableLine("  a\n b ", 80)).toBe("a b")
    expect(readableLine("🙂".repeat(20), 10)).toBe(`${"🙂".repeat(4)}…`)
    expect(lineWithoutMarkdown("## Goal\n- **bold** `code`\n> quote")).toBe("Goal bold code quote")
  })
})

test("A call is identified by its most significant argument.", () => {
  const subject = (given: unknown): string => {
    const call = toolCallOf({ type: "toolCall", id: "1", name: "x", arguments: given })
    return call ? callSubject(call) : ""
  }
  expect(subject({ limit: 3, path: "a.ts" })).toBe("a.ts")
  expect(subject({ command: "ls\n-l" })).toBe("ls -l")
  expect(subject({ other: "words" })).toBe("words")
  for (const odd of [undefined, null, [], {}, { path: 3 }]) expect(subject(odd)).toBe("")
})

test("A plot spreads its points from left to right, and gives a long pause no more room than a short one.", () => {
  const point = (minutes: number) => ({
    ordinal: minutes,
    time: minutes * 60_000,
    context: 1,
    cost: 0,
    spent: 0,
    isCompaction: false,
  })
  const { x, pauses } = plotScale([point(0), point(5), point(600), point(605)])
  expect(x[0]).toBe(0)
  expect(x.at(-1)).toBe(1)
  expect(pauses).toHaveLength(1)
  expect((x[2] ?? 0) - (x[1] ?? 0)).toBeCloseTo(0.5)
  expect([0, 0.2, 0.3, 0.8, 2].map((place) => nearestPoint(x, place))).toEqual([0, 1, 1, 2, 3])
  expect(plotScale([]).x).toEqual([])
})
