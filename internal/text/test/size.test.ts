import { numberText, plural, sizeText } from "@treelog-internal/text"
import fc from "fast-check"
import { expect, test } from "vitest"

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 KB"],
  [999_499, "999 KB"],
  [999_500, "1.0 MB"],
  [3_449_999, "3.4 MB"],
  [999_949_999, "999.9 MB"],
  [999_950_000, "1.0 GB"],
  [5 * 10 ** 9, "5.0 GB"],
  [2 * 10 ** 12, "2.0 TB"],
  [4 * 10 ** 15, "4,000 TB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})

test("counts have commas from a thousand on", () => {
  expect([0, 999, 1000, 1_234_567].map(numberText)).toEqual(["0", "999", "1,000", "1,234,567"])
  expect([1, 3010].map((count) => plural(count, "entry", "entries"))).toEqual(["1 entry", "3,010 entries"])
})

test("counts are written as those of the English language", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(numberText(count)).toBe(count.toLocaleString("en-US"))
    }),
  )
})
