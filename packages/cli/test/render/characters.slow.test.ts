import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, test } from "vitest"
import { charactersOf } from "../door.js"

const segmenter = new Intl.Segmenter()
const bySegmenter = (text: string) => [...segmenter.segment(text)].map(({ segment, index }) => ({ segment, index }))
const byUs = (text: string) => [...charactersOf(text)].map(({ segment, index }) => ({ segment, index }))

test("every sign beside a letter, and beside itself, is cut as the segmenter cuts it", () => {
  const few = (code: number) => code < 0x3100 || (code >= 0x1f000 && code < 0x1fb00) || code % 101 === 0
  const codes = Array.from({ length: 0x32000 }, (_, code) => code).filter(few)
  const wrong = codes
    .map((code) => String.fromCodePoint(code))
    .map((sign) => `a${sign}b字${sign}${sign}✅${sign}한`)
    .filter((text) => JSON.stringify(byUs(text)) !== JSON.stringify(bySegmenter(text)))
  expect(wrong).toEqual([])
})

test("any text is cut as the segmenter cuts it", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.string({
      unit: fc.constantFrom("a", " ", "é", "字", "한", "✅", "👍", "🏽", "\u200d", "\ufe0f", "\u0301", "ก", "ำ"),
    }),
  )
  fc.assert(
    fc.property(text, (given) => {
      expect(byUs(given)).toEqual(bySegmenter(given))
    }),
    { numRuns: tries(150) },
  )
})
