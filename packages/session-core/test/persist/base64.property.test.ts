import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeCanonicalBase64, encodeBase64 } from "../door.js"

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const bytes = fc.uint8Array({ maxLength: 200 })
const digit = fc.constantFrom(...ALPHABET)
/** Strings that are nearly base64: wrong padding, other alphabets, blanks, units beyond ASCII. */
const nearly = fc.string({
  unit: fc.oneof(
    { weight: 8, arbitrary: digit },
    fc.constantFrom("=", "-", "_", "\n", " ", "\u0141", "\ud800", "\0", "~"),
  ),
  maxLength: 12,
})

describe("encodeBase64", () => {
  it("gives what Node gives, for any bytes", () => {
    fc.assert(fc.property(bytes, (some) => encodeBase64(some) === Buffer.from(some).toString("base64")))
  })

  it.each([0, 1, 24_575, 24_576, 24_577, 49_152, 100_001])("gives what Node gives, for %i bytes", (length) => {
    const some = Uint8Array.from({ length }, (_, index) => (index * 131) & 255)
    expect(encodeBase64(some) === Buffer.from(some).toString("base64")).toBe(true)
  })

  it("reads no byte outside of a view", () => {
    const whole = Uint8Array.from({ length: 40 }, (_, index) => index)
    expect(encodeBase64(whole.subarray(3, 14))).toBe(Buffer.from(whole.subarray(3, 14)).toString("base64"))
  })
})

describe("decodeCanonicalBase64", () => {
  it("gives the bytes back that were encoded", () => {
    fc.assert(
      fc.property(bytes, (some) => {
        expect(decodeCanonicalBase64(Buffer.from(some).toString("base64"))).toEqual(some)
      }),
    )
  })

  it("takes exactly the strings that Node gives back to the letter, and gives Node's bytes for them", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string({ unit: "binary", maxLength: 8 })), (text) => {
        const byNode = Buffer.from(text, "base64")
        const expected = byNode.toString("base64") === text ? byNode : undefined
        const decoded = decodeCanonicalBase64(text)
        return expected === undefined ? decoded === undefined : decoded !== undefined && byNode.equals(decoded)
      }),
      { numRuns: tries(1500) },
    )
  })

  it.each([
    ["bits under two paddings", "AB=="],
    ["bits under one padding", "AAB="],
    ["no padding", "AAA"],
    ["padding only", "===="],
    ["three paddings", "A==="],
    ["padding in the middle", "AA==AAAA"],
    ["the alphabet of URLs", "-_-_"],
    ["a line break", "AAAA\nAAA"],
    ["a letter beyond ASCII with a digit's low byte", "AAA\u0141"],
  ])("refuses %s", (_, text) => {
    expect(decodeCanonicalBase64(text)).toBeUndefined()
  })
})
