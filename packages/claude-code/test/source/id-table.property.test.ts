import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { IdTable } from "../../src/source/id-table.js"

const hex = fc.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
/** Uuids, what looks like one, and any other text, with lone surrogates. */
const ids = fc.oneof(
  hex,
  hex.map((id) => id.toUpperCase()),
  hex.map((id) => id.replace("-", "_")),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ minLength: 36, maxLength: 36 }),
  fc.constantFrom("\ud800", "\u00ff", "\u0100", "\u00fe\u00ff", ""),
)

describe("A table of ids", () => {
  it("has one number for each text, and gives the text again", () => {
    fc.assert(
      fc.property(fc.array(ids, { maxLength: 300 }), (texts) => {
        const table = new IdTable()
        const numbers = new Map<string, number>()
        for (const text of [...texts, ...texts]) {
          const number = table.numberOf(text)
          expect(number).toBe(numbers.get(text) ?? number)
          numbers.set(text, number)
        }
        expect(new Set(numbers.values()).size).toBe(numbers.size)
        for (const [text, number] of numbers) expect(table.textOf(number)).toBe(text)
      }),
    )
  })

  it("has 0 for no id, and no text for 0", () => {
    const table = new IdTable()
    expect(table.numberOf(undefined)).toBe(0)
    expect(table.textOf(0)).toBeUndefined()
  })
})
