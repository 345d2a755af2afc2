import fc from "fast-check"
import { expect, test } from "vitest"
import { padded, truncated, widthOf } from "../../src/render/width.js"
import { wrapLine } from "../../src/render/wrap-line.js"

const words = fc.string({ unit: fc.constantFrom("a", "字", "👩‍👩‍👧", " ", "é"), maxLength: 60 })

test("CJK and emoji are two columns wide", () => {
  expect(["abc", "变更", "✅", "👩‍👩‍👧", "é"].map(widthOf)).toEqual([3, 4, 2, 2, 1])
})

test("a text is filled up to its columns, on either side", () => {
  expect(padded("变更", 6)).toBe("变更  ")
  expect(padded("12", 4, "right")).toBe("  12")
})

test("a text that is cut ends with the ellipsis, and never in the middle of a character", () => {
  expect(truncated("变更日志", 5, "…")).toBe("变更…")
  expect(truncated("👩‍👩‍👧👩‍👩‍👧", 3, "…")).toBe("👩‍👩‍👧…")
  expect(truncated("abc", 3, "…")).toBe("abc")
  expect(truncated("abc", undefined, "…")).toBe("abc")
})

test("no text is wider than what it was cut to, nor a piece of a line than what it was broken at", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 4, max: 30 }), (text, width) => {
      expect(widthOf(truncated(text, width, "…"))).toBeLessThanOrEqual(width)
      if (!text.startsWith("   "))
        for (const piece of wrapLine(text, width)) expect(widthOf(piece)).toBeLessThanOrEqual(width)
    }),
  )
})

test("a broken line has all its words, and keeps its indentation", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 30 }), (text, width) => {
      expect(wrapLine(`  ${text}`, width).join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""))
    }),
  )
  expect(wrapLine("  one two three", 9)).toEqual(["  one two", "  three"])
  expect(wrapLine("  onetwothree", 9)).toEqual(["  onetwot", "  hree"])
})
