import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byteText, indexOfText } from "../door.js"

const oneByOne = (bytes: Uint8Array): string => [...bytes].map((byte) => String.fromCharCode(byte)).join("")

// It is another function in pages, where this runs too.
describe("the text of bytes", () => {
  it("has a character for each byte, with its code", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => byteText(bytes) === oneByOne(bytes)))
  })

  it("has those of any number of bytes, from the middle of others", () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 251).subarray(3)
    expect(byteText(bytes) === oneByOne(bytes)).toBe(true)
  })

  it("is found in the bytes where it stands in their text", () => {
    const few = fc.uint8Array({ min: 0x61, max: 0x63, maxLength: 30 })
    const sought = fc.stringMatching(/^[a-c]{1,3}$/)
    fc.assert(
      fc.property(few, sought, fc.nat(30), (bytes, text, from) => {
        expect(indexOfText(bytes, text, from)).toBe(from > bytes.length ? -1 : oneByOne(bytes).indexOf(text, from))
      }),
    )
  })
})
