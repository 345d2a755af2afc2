import { bytesOfText, textOfBytes } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bytesAgain = (text: string): Uint8Array => bytesOfText(text) ?? utf8(text)

/** Bytes of names: random ones, and pieces that are nearly UTF-8, nearly an escape, or an escape that is the name itself. */
const piece = fc.oneof(
  fc.uint8Array({ min: 1, max: 255, maxLength: 6 }),
  fc.constantFrom("\uFFFD", "E9", "\uFFFDE9", "\uFFFDEF", "é", "€", "😀", "a", "\uFEFF", "8", "F").map(utf8),
  fc.constantFrom([0xe9], [0xc3], [0xe2, 0x82], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xef, 0xbf], [0xff]),
)
const name = fc.array(piece, { maxLength: 6 }).map((pieces) => Uint8Array.from(pieces.flatMap((bytes) => [...bytes])))

describe("names that are bytes", () => {
  it("come back from their text, byte for byte", () => {
    fc.assert(
      fc.property(name, (bytes) => {
        expect([...bytesAgain(textOfBytes(bytes))]).toEqual([...bytes])
      }),
      { numRuns: tries(500) },
    )
  })

  it("have a text that is UTF-8 itself, and is the same whether a path or each name in it is taken", () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (names) => {
        const path = Uint8Array.from(names.flatMap((bytes) => [0x2f, ...bytes]))
        const text = textOfBytes(path)
        expect(text).toBe(names.map((bytes) => `/${textOfBytes(bytes)}`).join(""))
        expect(/\p{Surrogate}/u.test(text)).toBe(false)
        expect([...bytesAgain(text)]).toEqual([...path])
      }),
    )
  })

  it("are their own text where they are valid UTF-8, a U+FFFD among it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!/\uFFFD[89A-F][0-9A-F]/.test(text))
        expect(textOfBytes(utf8(text))).toBe(text)
        expect(bytesOfText(text)).toBeUndefined()
      }),
    )
    expect(textOfBytes(utf8("a\uFFFD.jsonl"))).toBe("a\uFFFD.jsonl")
  })

  it("show each byte that cannot be decoded", () => {
    const latin1 = Uint8Array.from([...utf8("caf"), 0xe9, ...utf8(".jsonl")])
    expect(textOfBytes(latin1)).toBe("caf\uFFFDE9.jsonl")
    expect(textOfBytes(utf8("caf\uFFFDE9.jsonl"))).toBe("caf\uFFFDEF\uFFFDBF\uFFFDBDE9.jsonl")
  })

  it("never get a separator, a dot or a NUL from a text", () => {
    for (const text of ["\uFFFD2F", "\uFFFD00", "\uFFFD2E\uFFFD2E", "\uFFFDe9"])
      expect(bytesOfText(text)).toBeUndefined()
  })
})
