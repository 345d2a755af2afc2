import { cleanJson, cleanLine, cleanTabbed, cleanText } from "@treelog-internal/text"
import fc from "fast-check"
import { expect, test } from "vitest"

const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)

test("whole escape sequences go without a trace", () => {
  expect(cleanText(`a${ESCAPE}[31mred${ESCAPE}[0m${ESCAPE}]0;title${BELL}b`)).toBe("aredb")
  expect(cleanText(`${ESCAPE}]8;;http://x${ESCAPE}\\link${ESCAPE}]8;;${ESCAPE}\\`)).toBe("link")
  expect(cleanText(`${ESCAPE}[1mbold${ESCAPE}(B${ESCAPE}[m${ESCAPE}>`)).toBe("bold")
})

test("what is left of a control character is made visible", () => {
  expect(cleanText(`a${BELL}b${ESCAPE}c`)).toBe("a\\x07b\\x1bc")
  expect(cleanText("\u009b31m\u202eabc\u2069\u2028\u007f")).toBe("\\x9b31m\\u202eabc\\u2069\\u2028\\x7f")
})

test("taking a sequence out does not make a new one", () => {
  expect(cleanText(`${ESCAPE}${ESCAPE}[0m[31m`)).toBe("\\x1b[31m")
})

test("line breaks of all systems become LF, and tabs become spaces", () => {
  expect(cleanText("a\r\nb\rc\n\td")).toBe("a\nb\nc\n    d")
})

test("a line has no line break, and no white space at its ends", () => {
  expect(cleanLine("  a\r\n\t b \n")).toBe("a b")
})

test("letters, CJK, emoji with joiners and right-to-left scripts stay as they are", () => {
  const text = "naïve 变更日志 👩‍👩‍👧 ✅ שלום مرحبا e\u0301"
  expect(cleanText(text)).toBe(text)
})

test("what is no text is shown as JSON, and nothing as nothing", () => {
  expect([3, { a: 1 }, null, undefined].map(cleanText)).toEqual(["3", '{"a":1}', "", ""])
})

test("no text whatever keeps a control character", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(ESCAPE, "[", "]", "0", ";", "m", BELL, "\\") }),
  )
  fc.assert(
    fc.property(anything, (text) => {
      expect(cleanText(text)).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      expect(cleanLine(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
    }),
  )
})

test("cleaned JSON is the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const json = cleanJson(JSON.stringify(value))
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(json).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
    }),
  )
})

test("every run of white space of a line becomes one space, whatever it is made of", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "\t", "\u00a0", "\u3000", "\ufeff", "字"),
    maxLength: 30,
  })
  fc.assert(
    fc.property(text, (given) => {
      expect(cleanLine(given)).toBe(cleanTabbed(given).replace(/\s+/g, " ").trim())
    }),
  )
})
