import fc from "fast-check"
import stringWidth from "string-width"
import { expect, test } from "vitest"
import { headOf, padded, quickWidth, truncated, widthOf, wrapLine } from "../door.js"

const words = fc.string({ unit: fc.constantFrom("a", "字", "👩‍👩‍👧", " ", "é"), maxLength: 60 })

test("CJK and emoji are two columns wide", () => {
  expect(["abc", "变更", "✅", "👩‍👩‍👧", "é"].map(widthOf)).toEqual([3, 4, 2, 2, 1])
})

test("characters that are measured one by one add up to the width of the text", () => {
  const text = fc.array(fc.oneof(words, fc.string({ unit: "grapheme", maxLength: 20 }))).map((all) => all.join(""))
  fc.assert(
    fc.property(text, (given) => {
      expect(widthOf(given)).toBe(stringWidth(given))
    }),
  )
  expect(widthOf("\u001b[1m变\u001b[22m")).toBe(2)
})

test("a character that is measured quickly is as wide as by the tables", () => {
  const few = (code: number) =>
    code < 0x600 || (code >= 0x2000 && code < 0x3000) || (code >= 0x1f300 && code < 0x1fb00) || code % 101 === 0
  const codes = Array.from({ length: 0x32000 }, (_, code) => code).filter(few)
  const signs = codes.flatMap((code) => [String.fromCodePoint(code), `${String.fromCodePoint(code)}\ufe0f`])
  const wrong = signs.filter((sign) => (quickWidth(sign) ?? stringWidth(sign)) !== stringWidth(sign))
  expect(wrong).toEqual([])
  expect(["a", "é", "я", "字", "한", "✅", "❤️", "–", "→", "█", "👍"].map(quickWidth)).not.toContain(undefined)
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

test("the beginning that fits is the longest one, in whole characters", () => {
  const text = fc
    .array(fc.oneof(words, fc.constantFrom("a long word of ASCII", "größe", "变更日志")))
    .map((all) => all.join(""))
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 40 }), (given, width) => {
      const characters = [...new Intl.Segmenter().segment(given)].map(({ segment }) => segment)
      let longest = ""
      for (const character of characters) {
        if (stringWidth(longest + character) > width) break
        longest += character
      }
      // Reading ends after so many units, since a character can be of very many.
      fc.pre(longest.length <= width * 4)
      expect(headOf(given, width)).toBe(longest)
    }),
  )
})
