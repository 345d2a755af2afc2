import { foldTerms, foldText, matchRanges, type SearchHit } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"

type FoldedTerm = ReturnType<typeof foldTerms>[number]

type TextRole = SearchHit["role"]

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
    { numRuns: tries(200) },
  )
})

const NOT_WORD = "[^\\p{L}\\p{N}\\p{M}\\p{Co}]"
const UNSPACED = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]"
/** Where a word begins of a script with spaces. */
const BEGINNING = `(?<=${NOT_WORD}|${UNSPACED}|^)`
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** A word, which ends where others begin, where none is, and between a script with spaces and one without. */
function wordSource(word: string, mayGoOn: boolean): string {
  const isUnspaced = new RegExp(UNSPACED, "u").test(word)
  const [before, after] = isUnspaced
    ? [`(?<!${UNSPACED})`, `(?!${UNSPACED})`]
    : [BEGINNING, `(?=${NOT_WORD}|${UNSPACED}|$)`]
  return `${before}${word}${mayGoOn ? "" : after}`
}

/** The definition of a match, as one pattern. */
function definition(terms: readonly FoldedTerm[], role: TextRole): RegExp | undefined {
  const isWithinWords = role === "user"
  const sources = terms
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ words, part, opensWord, isUnspaced, isPrefix }) => {
      const within =
        part !== undefined && (isWithinWords || isUnspaced) ? [(opensWord ? BEGINNING : "") + escaped(part)] : []
      const phrase = words.map((word, at) => wordSource(word, isPrefix && at === words.length - 1))
      return words.length > 0 ? [...within, phrase.join(`${NOT_WORD}*`)] : within
    })
  return sources.length === 0 ? undefined : new RegExp(sources.join("|"), "gu")
}

it("the matches are those of one pattern for all terms", () => {
  const character = fc.constantFrom(..."aaab  .é折ש🙂𐐨\ue000")
  const short = fc.string({ unit: character, minLength: 1, maxLength: 4 })
  const term = fc.record({ text: short, isPrefix: fc.boolean(), isExcluded: fc.constantFrom(false, false, true) })
  const role = fc.constantFrom<TextRole>("user", "toolResult")
  let count = 0
  fc.assert(
    fc.property(
      fc.string({ unit: character, minLength: 20, maxLength: 60 }),
      fc.array(term, { maxLength: 3 }),
      role,
      (text, of, role) => {
        // Without marks, and folded before: where matches stand in other texts is tested above.
        const folded = foldText(text)
        const terms = foldTerms(of)
        const pattern = definition(terms, role)
        const expected = [...(pattern === undefined ? [] : folded.matchAll(pattern))].map((match) => match[0])
        count += expected.length
        expect([...matchRanges(folded, terms, role)].map(([from, to]) => folded.slice(from, to))).toEqual(expected)
      },
    ),
    { numRuns: tries(200) },
  )
  expect(count).toBeGreaterThan(tries(20))
})
