import fc from "fast-check"
import { expect, test } from "vitest"
import { bashQuoted, shellWords } from "../door.js"

// A line break is the one thing that a backslash does not quote; no candidate has one.
const word = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/[\n\r]/.test(text))

test("A quoted word is read as the word that it was.", () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      expect(shellWords(words.map(bashQuoted).join(" ")).words).toEqual(words)
    }),
  )
})

test("Any line at all is read, and its last word stands at its end.", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (line) => {
      const { words, last } = shellWords(line)
      expect(words.length).toBeGreaterThan(0)
      expect(line.endsWith(last)).toBe(true)
    }),
  )
})
