import { expect, test } from "vitest"
import { parseDuration } from "../../src/program/parse-duration.js"

test.each([
  ["0", 0],
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1.5h", 5_400_000],
  ["1d", 86_400_000],
  ["2w", 1_209_600_000],
])("%s is %i milliseconds", (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each(["", "1", "d", "-1d", "1 d", "1D", "1d2h", "Infinityd", "1e3s", "1y", "1__proto__"])(
  "%j is no duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)
