import { MemorySessionStorage, SessionManager } from "@treelog/session-core"
import fc from "fast-check"
import { expect, test } from "vitest"
import { oneLine } from "../door.js"

const ESC = "\x1b"

test.each([
  ["two\nlines", "two lines"],
  ["two\r\n\r\nlines\n", "two lines"],
  ["a\ttab", "a tab"],
  [`${ESC}[1;32mgreen${ESC}[0m`, "green"],
  [`${ESC}]0;a title\x07named`, "named"],
  [`${ESC}]8;;https://example.com${ESC}\\link${ESC}]8;;${ESC}\\`, "link"],
  [`${ESC}ccleared`, "cleared"],
  ["bell\x07 and \x9b31m", "bell and 31m"],
  ["\u2028para\u2029graph", "para graph"],
  ["  two  blanks  ", "two  blanks"],
  ["عربي 日本語 🙂", "عربي 日本語 🙂"],
])("%j becomes %j", (text, expected) => {
  expect(oneLine(text)).toBe(expected)
})

test("No control character is left, what has none stays, and doing it twice changes nothing.", () => {
  const part = fc.oneof(fc.string(), fc.constantFrom(ESC, `${ESC}[`, `${ESC}]`, "31m", "\n", "\r", "\x07", "\\", "\0"))
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const line = oneLine(parts.join(""))
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(oneLine(line)).toBe(line)
    }),
    { seed: 20_261_122, numRuns: 2_000 },
  )
})

test("Names and labels are set as one line.", async () => {
  const session = new SessionManager({ storage: new MemorySessionStorage() }).inMemory()
  session.appendSessionInfo(`${ESC}[31mred\nname${ESC}[0m`)
  expect(session.getSessionName()).toBe("red name")
  const id = session.appendMessage({ role: "user", content: "Hi", timestamp: 0 })
  session.appendLabelChange(id, "first\r\nsecond")
  expect(session.getLabel(id)).toBe("first second")
  session.appendLabelChange(id, `${ESC}[0m\n`)
  expect(session.getLabel(id)).toBeUndefined()
})
