import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { callSubject, toolCallOf } from "../../src/page/session/tool-call.js"
import { lineDiff, looksLikeDiff, parseDiff } from "../../src/page/text/line-diff.js"
import { lineWithoutMarks, readableLine, readableText } from "../../src/page/text/readable-text.js"
import { nearestPoint, plotScale } from "../../src/page/view/usage/plot-scale.js"

describe("Readable text", () => {
  test("has no character that hides, steers or turns around, whatever it is made of.", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const text of [readableText(value), readableLine(value)])
          expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/u)
        expect(readableLine(value)).not.toMatch(/[\n\t]/)
      }),
    )
  })

  test("stays as it is where there is nothing of that sort.", () => {
    expect(readableText("a\n\tb 你好 ✅ é")).toBe("a\n\tb 你好 ✅ é")
    expect(readableText("\u001b[1;32mgreen\u001b[0m\r\nnext\u0007 \u202e")).toBe("green\nnext\\x07 \\u202e")
  })

  test("in one line is cut between characters, and loses marks of Markdown where it is asked to.", () => {
    expect(readableLine("  a\n b ", 80)).toBe("a b")
    expect(readableLine("🙂".repeat(20), 10)).toBe(`${"🙂".repeat(4)}…`)
    expect(lineWithoutMarks("## Goal\n- **bold** `code`\n> quote")).toBe("Goal bold code quote")
  })
})

describe("A comparison of texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 }).map((all) => all.join("\n"))

  test("has all that came and all that went.", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(before, after)
        const count = (text: string): Map<string, number> => {
          const counts = new Map<string, number>()
          for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1)
          return counts
        }
        const [old, now] = [count(before), count(after)]
        for (const line of new Set([...old.keys(), ...now.keys()])) {
          const added = diff.filter(({ kind, text }) => kind === "added" && text === line).length
          const removed = diff.filter(({ kind, text }) => kind === "removed" && text === line).length
          expect(added - removed).toBe((now.get(line) ?? 0) - (old.get(line) ?? 0))
        }
      }),
    )
  })

  test("leaves out what is far from any change.", () => {
    const many = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    const diff = lineDiff(many.join("\n"), many.with(20, "changed").join("\n"))
    expect(diff.map(({ kind }) => kind).join(" ")).toBe("gap same same same removed added same same same gap")
  })

  test("reads the diffs that programs store.", () => {
    const stored = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n 1 same\n-2 old\n+2 new\n ..."
    expect(looksLikeDiff(stored)).toBe(true)
    expect(parseDiff(stored).map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      "gap:@@ -1 +1 @@",
      "same:1 same",
      "removed:2 old",
      "added:2 new",
      "gap:",
    ])
    expect(looksLikeDiff("just some text\nof two lines")).toBe(false)
  })
})

test("A call is told apart by its most telling argument.", () => {
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
