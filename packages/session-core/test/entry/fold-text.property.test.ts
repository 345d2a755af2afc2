import { foldText } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"
import { foldWhole, PLAIN_CHARACTERS } from "../door.js"

// Characters whose folding depends on those beside them, or that become several.
const SPECIAL = [
  ..."aB \n\t\u0000\u001b\u007f\u0085ÉéßẞΣςσİıǰŉΐ",
  "e\u0301",
  "\u0300",
  "\u0315",
  "\u0345",
  "\ufe0f",
  "ﬁ",
  "Ａ",
  "ｶﾞ",
  "가",
  "\u1100",
  "\u1161",
  "\u11a8",
  "कि",
  "\ud83d",
  "\ude42",
  "🙂",
  "折",
  "か",
  "\u3099",
  "“",
  "┐",
  "\u212a",
  "\u212b",
  ..."\u00ad\u200c\u200d\u200f\ufeff\u0640\u064b\u0654\u05b8אمأØłŒ",
]
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...SPECIAL), fc.string(), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })),
  )
  .map((parts) => parts.join(""))

it("a text is folded as if it were folded as a whole", () => {
  fc.assert(
    fc.property(text, (mixed) => {
      expect(foldText(mixed)).toBe(foldWhole(mixed))
    }),
    { numRuns: tries(2_000) },
  )
  expect(foldText("x\r\n\t1")).toBe("x   1")
})

it("folding leaves each plain character beyond ASCII as it is", () => {
  const plain = new RegExp(`[${PLAIN_CHARACTERS}]`)
  const all = Array.from({ length: 0x10000 - 0x80 }, (_, at) => String.fromCharCode(0x80 + at))
  const some = all.filter((character) => plain.test(character))
  expect(some.length).toBeGreaterThan(30_000)
  expect(some.filter((character) => foldWhole(character) !== character)).toEqual([])
})

it("vowel signs that texts leave out, characters that nobody sees, and strokes through letters make no difference", () => {
  for (const [one, other] of [
    ["مُحَمَّد", "محمد"],
    ["كـتـاب", "كتاب"],
    ["أحمد", "احمد"],
    ["שָׁלוֹם", "שלום"],
    ["re\u00adsponse", "response"],
    ["می\u200cخواهم", "میخواهم"],
    ["\ufeffname", "name"],
    ["Łódź được Ærø œuvre", "lodz duoc aero oeuvre"],
  ] as const)
    expect(foldText(one)).toBe(foldText(other))
  expect(foldText("が")).not.toBe(foldText("か"))
})
