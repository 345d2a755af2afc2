import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { usualTime } from "../../src/source/usual-time.js"

const two = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, "0"))
/** Most of them are no times: months up to 99, the 31st of February, the hour 24. */
const shapes = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), two, two, two, two, two, fc.integer({ min: 0, max: 999 }))
  .map(
    ([year, month, day, hour, minute, second, milli]) =>
      `${String(year).padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}.${String(milli).padStart(3, "0")}Z`,
  )
const inRange = fc
  .date({ noInvalidDate: true, min: new Date(-62_135_596_800_000), max: new Date(253_402_300_799_999) })
  .map((date) => date.toISOString())
const others = fc.constantFrom(
  "",
  "2026-01-01",
  "2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00.000+00:00",
  "x".repeat(24),
)

describe("The milliseconds of a time", () => {
  it("are those of every time that they give again, from the year 100 on, and of nothing else", () => {
    fc.assert(
      fc.property(fc.oneof(shapes, inRange, others), (text) => {
        const millis = Date.parse(text)
        const isUsual = !Number.isNaN(millis) && new Date(millis).toISOString() === text && text >= "0100"
        expect(usualTime(text)).toBe(isUsual ? millis : Number.NaN)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ["2024-02-29T00:00:00.000Z", Date.UTC(2024, 1, 29)],
    ["2000-02-29T23:59:59.999Z", Date.UTC(2000, 1, 29, 23, 59, 59, 999)],
    ["1900-02-29T00:00:00.000Z", Number.NaN],
    ["2026-04-31T00:00:00.000Z", Number.NaN],
    ["2026-01-01T24:00:00.000Z", Number.NaN],
    ["0099-01-01T00:00:00.000Z", Number.NaN],
  ])("of %s are %s", (text, millis) => expect(usualTime(text)).toBe(millis))
})
