import fc from "fast-check"
import { expect, it } from "vitest"
import { foldTerms, matchRanges } from "../../src/session-index.js"

// Characters that become several or none, or one with those beside them.
const SPECIAL = [
  ..."aB \n\u0000ÉßİŉﬁＡ가折か“┐🙂",
  "e\u0301",
  "\u0300",
  "\ufe0f",
  "ｶﾞ",
  "\u1100",
  "\u1161",
  "\u11a8",
  "ㄱㅏ",
  "\ud83d",
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })))
  .map((parts) => parts.join(""))

it("a match is where it stands in the text, whatever surrounds it", () => {
  const terms = foldTerms([{ text: "Needle" }])
  fc.assert(
    fc.property(text, text, text, (before, between, after) => {
      const whole = `${before} nEEdle ${between} Needle ${after}`
      const second = before.length + between.length + 9
      expect([...matchRanges(whole, terms, "user")]).toEqual([
        [before.length + 1, before.length + 7],
        [second, second + 6],
      ])
    }),
    { numRuns: 2_000 },
  )
})
