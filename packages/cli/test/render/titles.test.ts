import { titleLine } from "@treelog/session-core/adapter"
import { cleanLine, PLAIN } from "@treelog-internal/text"
import fc from "fast-check"
import { expect, test } from "vitest"
import { titleText, truncated, widthOf } from "../door.js"

test("a title is the beginning of a text as one line, in at most 200 columns", () => {
  const piece = fc.oneof(fc.constantFrom(" ", "\n", "    ", "中", "🚀", "\u001b[31m"), fc.string())
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
      const text = pieces.join(" ")
      const title = titleText(text, PLAIN)
      expect(widthOf(title)).toBeLessThanOrEqual(200)
      // What is cut off in the middle of an escape sequence is no longer one.
      if (text.length <= 1_600)
        expect(title.slice(0, 100)).toBe(truncated(cleanLine(titleLine(text)), 200, "…").slice(0, 100))
    }),
  )
})

test("a title stops at the end of the first line that says something, and at a code fence", () => {
  expect(titleText("\n  Fix the clock\nIt is late.", PLAIN)).toBe("Fix the clock")
  expect(titleText("Why does this fail? ```ts\nfoo()\n```", PLAIN)).toBe("Why does this fail?")
  expect(titleText("```\nfoo()\n```\nWhy?", PLAIN)).toBe("foo()")
  expect(titleText("```", PLAIN)).toBe("")
})

test("what is not shown takes no room of a title", () => {
  expect(titleText(`${"\n".repeat(900)}fix the clock`, PLAIN)).toBe("fix the clock")
  expect(titleText(`${"\u001b[1m\u001b[0m".repeat(100)}fix the clock`, PLAIN)).toBe("fix the clock")
  expect(titleText(`fix${" ".repeat(1_000)}the clock`, PLAIN)).toBe("fix the clock")
})
