import { ageOf, timeOf } from "@treelog-internal/text"
import { expect, test } from "vitest"

const NOW = new Date(2026, 2, 20, 12).getTime()
const MINUTE = 60_000

test.each([
  [0, "now"],
  [59_999, "now"],
  [MINUTE, "1m"],
  [59 * MINUTE, "59m"],
  [60 * MINUTE, "1h"],
  [24 * 60 * MINUTE, "1d"],
  [6 * 24 * 60 * MINUTE, "6d"],
  [7 * 24 * 60 * MINUTE, "2026-03-13"],
  [-MINUTE, "2026-03-20"],
])("%i ms ago is %s", (age, shown) => {
  expect(ageOf(NOW - age, NOW)).toBe(shown)
})

test("what is no time is shown as nothing", () => {
  expect([ageOf(0, NOW), ageOf(Number.NaN, NOW), ageOf(1e300, NOW)]).toEqual(["", "", ""])
  expect([timeOf("yesterday"), timeOf(3), timeOf(undefined), timeOf(new Date(0).toISOString())]).toEqual(
    Array(4).fill(""),
  )
})

test("a time is local", () => {
  expect(timeOf(new Date(2026, 2, 7, 9, 5).toISOString())).toBe("2026-03-07 09:05")
})
