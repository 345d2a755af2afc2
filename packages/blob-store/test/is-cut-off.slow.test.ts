import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isCutOff } from "../src/is-cut-off.js"

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
    ))

  test("is nothing that more text could not make a JSON object of.", () =>
    fc.assert(
      fc.property(
        object,
        fc.nat(),
        fc.constantFrom("\0", "}", ",", "x", "\ufffd", "\\"),
        fc.nat(),
        (text, where, damage, cut) => {
          const at = where % text.length
          const damaged = text.slice(0, at) + damage + text.slice(at + 1)
          const beginning = damaged.slice(0, 1 + (cut % damaged.length))
          if (isCutOff(beginning)) expect(canBeEnded(beginning)).toBe(true)
        },
      ),
      { numRuns: 1_000 },
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

/** Tries every way in which the last token may go on, and closes what is open. */
function canBeEnded(text: string): boolean {
  const closers = closersOf(text)
  const middles = [
    "",
    '"',
    '":0',
    ":0",
    "0",
    '"":0',
    'u0000"',
    '\\"',
    '0000"',
    '000"',
    '00"',
    '0"',
    'u0000":0',
    '\\":0',
    '0000":0',
    '000":0',
    '00":0',
    '0":0',
    "rue",
    "ue",
    "e",
    "alse",
    "lse",
    "se",
    "ull",
    "ll",
    "l",
    "+0",
    "true",
  ]
  return middles.some((middle) => parses(text + middle + closers))
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return false
  }
}

function closersOf(text: string): string {
  const open: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === "\\") at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === "{") open.push("}")
    else if (char === "[") open.push("]")
    else if (char === "}" || char === "]") open.pop()
  }
  return open.reverse().join("")
}
