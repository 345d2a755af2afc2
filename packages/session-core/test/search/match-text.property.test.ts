import {
  foldTerms,
  foldText,
  matchesAll,
  type SearchHit,
  type SearchQuery,
  snippetOf,
  wordsOf,
} from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"

type TextRole = SearchHit["role"]

const text = fc
  .array(
    fc.constantFrom("retry", "Café", "a", "修复", "テスト", "İ", "ﬁ", "한", "e\u0301", "-", "\n", " ", "😀", "\ud800"),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""))
const term = fc.record({ text, isPrefix: fc.boolean(), isExcluded: fc.boolean() })

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Before a phrase with spaces, no word goes on; behind it, one may that is long enough. */
const BEGINNING =
  /(?:^|[^\p{L}\p{N}\p{M}\p{Co}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])$/u

function stands(sought: string, folded: string): boolean {
  const [first = "", last = ""] = [wordsOf(sought)[0], wordsOf(sought).at(-1)]
  const isPhrase = wordsOf(sought).length > 1 && /\s/.test(sought) && sought.startsWith(first) && !UNSPACED.test(first)
  if (!isPhrase) return folded.includes(sought)
  const canGoOn = [...last].length >= 3 || UNSPACED.test(last)
  for (let at = folded.indexOf(sought); canGoOn && at !== -1; at = folded.indexOf(sought, at + 1))
    if (BEGINNING.test(folded.slice(0, at))) return true
  return false
}

/** By the definition alone. */
function isFound(
  whole: string,
  { text, isPrefix, isExcluded }: Required<NonNullable<SearchQuery["terms"]>[number]>,
  role: TextRole,
): boolean {
  const sought = foldText(text).trim()
  const within = [...sought].length >= 3 || sought.includes("😀") || UNSPACED.test(sought)
  if (wordsOf(sought).length === 0 && !within) return true
  const words = ` ${wordsOf(foldText(whole)).join(" ")} `
  const phrase = ` ${wordsOf(sought).join(" ")}${isPrefix ? "" : " "}`
  const byWords = wordsOf(sought).length > 0 && words.includes(phrase)
  const isSaid = role !== "thinking" && role !== "toolResult"
  const isUnspaced = [...sought].length > 1 && [...sought].every((character) => UNSPACED.test(character))
  return (byWords || ((isSaid || isUnspaced) && within && stands(sought, foldText(whole)))) !== isExcluded
}

it("finds what the definition of a match says", () => {
  const roles = fc.constantFrom<TextRole>("user", "toolResult", "thinking", "toolCall")
  const property = fc.property(text, fc.array(term, { maxLength: 3 }), roles, (whole, terms, role) => {
    const expected = terms.every((one) => isFound(whole, one, role))
    expect(matchesAll(foldTerms(terms), foldText(whole), role)).toBe(expected)
  })
  fc.assert(property, { numRuns: tries(5000) })
})

it("shows a part of the text with whole characters, and what matched within it", () => {
  const property = fc.property(
    text,
    fc.array(term, { maxLength: 3 }),
    fc.integer({ min: 10, max: 40 }),
    (whole, terms, length) => {
      const long = `${"word ".repeat(20)}${whole}${" word".repeat(20)}`
      const { text: shown, matches } = snippetOf(long, foldTerms(terms), "user", length)
      expect(long.replace(/\s/gu, " ")).toContain(shown)
      for (const [from, to] of matches) expect(0 <= from && from < to && to <= shown.length).toBe(true)
      expect(matches.every(([from], at) => from >= (matches[at - 1]?.[1] ?? 0))).toBe(true)
      // Nothing begins or ends in the middle of a pair that was whole.
      if (!whole.includes("\ud800")) expect(shown).not.toMatch(/\p{Cs}/u)
    },
  )
  fc.assert(property, { numRuns: tries(2000) })
})

it("marks nothing for a term that matches by its characters only, where only words match", () => {
  const [shown, said] = (["toolResult", "user"] as const).map((role) =>
    snippetOf("a --- b", foldTerms([{ text: "---" }]), role),
  )
  expect([shown?.matches, said?.matches]).toEqual([[], [[2, 5]]])
})

it.each(["🚀", "→", "€", "👩‍🚀"])("finds a symbol outside ASCII alone, among words and within them (%s)", (symbol) => {
  const terms = foldTerms([{ text: symbol }])
  for (const said of [symbol, `ship it ${symbol} now`, `a${symbol}b`])
    expect(matchesAll(terms, foldText(said), "user")).toBe(true)
  expect(matchesAll(terms, foldText("ship it now"), "user")).toBe(false)
  expect(foldTerms([{ text: "-" }, { text: "/" }])).toEqual([])
})

it("looks for each term once", () => {
  const [retry, prefix, excluded] = [
    { text: "Retry" },
    { text: "retry", isPrefix: true },
    { text: "retry", isExcluded: true },
  ]
  const terms = foldTerms([retry, prefix, { text: "retry" }, excluded, prefix])
  expect(terms).toEqual(foldTerms([retry, prefix, excluded]))
  expect(terms).toHaveLength(3)
})
