import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isCutOff } from "./door.js"

const object = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { minKeys: 1 })
  .map((value) => JSON.stringify(value))

describe("a line that was cut off", () => {
  test("is every beginning of a JSON object, and never the whole.", () =>
    fc.assert(
      fc.property(object, (text) => {
        for (let end = 1; end < text.length; end++)
          expect([text.slice(0, end), isCutOff(text.slice(0, end))]).toEqual([text.slice(0, end), true])
        expect(isCutOff(text)).toBe(false)
        expect(isCutOff(`${text} `)).toBe(false)
      }),
      { numRuns: 30 },
    ))

  test.each([
    "",
    " ",
    "x",
    "[1",
    '"a',
    "{}",
    '{"a":1}',
    '{"a":1}{"b":',
    '{"a":1,}',
    '{"a" 1',
    '{"a":01',
    '{"a":tru ',
    '{"a":"\\x',
    "{,",
    '{"a":[1}',
  ])("is not %j.", (text) => {
    expect(isCutOff(text)).toBe(false)
  })

  test("may be deep and long.", () => {
    expect(isCutOff(`{"a":${"[".repeat(200_000)}`)).toBe(true)
    expect(isCutOff(`{"a":"${"x".repeat(5_000_000)}`)).toBe(true)
  })
})
