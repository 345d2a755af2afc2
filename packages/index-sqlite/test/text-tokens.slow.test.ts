import { loadDriver } from "@treelog/index-sqlite"
import { foldText, isSpaced, wordsOf } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, test } from "vitest"
import { HAS_NEIGHBOURS, neighbourValues, pairsOf, TextTokenizer } from "./door.js"

const character = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(..." \n\t.-_=/aZz09ßİıΣςéｆﬁ½…①が\u3099\u0301\u0338\u093f修复テ시🙂\u{2f800}\u0085"),
  },
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
)
const text = fc.array(character, { maxLength: 30 }).map((characters) => characters.join(""))

const tokenizer = new TextTokenizer()
const { open } = await loadDriver()
const db = open(":memory:")

/** As SQLite tests it. */
function mayHave(filter: Uint8Array | undefined, word: string, next: string): boolean {
  const test = db.prepare(`SELECT ${HAS_NEIGHBOURS} > 0 AS may FROM (SELECT ? AS filter)`)
  return test.get<{ may: number }>(...neighbourValues(word, next), filter ?? null)?.may === 1
}

test("the tokens of a text are the words of the folded text, pairs of what has no spaces, and neighbours", () => {
  fc.assert(
    fc.property(text, fc.boolean(), (stored, isWithinWords) => {
      const all = wordsOf(foldText(stored))
      const spaceless = all.filter((word) => !isSpaced(word))
      const pairs = spaceless.flatMap((word) => [...pairsOf(word), ...(isWithinWords ? word : [])])
      const words = all.filter(isSpaced)
      const tokens = tokenizer.tokens(stored, isWithinWords)
      const [found, foundPairs] = [tokens.words, tokens.pairs].map((all) => all.split(" ").filter((one) => one !== ""))
      expect(found?.sort()).toEqual([...new Set(words)].sort())
      expect(foundPairs?.sort()).toEqual([...new Set(pairs)].sort())
      if (all.length < 2) expect(tokens.neighbours).toBe(undefined)
      for (const [at, next] of all.slice(1).entries())
        expect(mayHave(tokens.neighbours, all[at] ?? "", next)).toBe(true)
    }),
    { numRuns: tries(500) },
  )
})

test("each word comes once, where a text has more of them than have places, and after it", () => {
  const words = Array.from({ length: 450_000 }, (_, at) => `w${at}`)
  const many = tokenizer.tokens(`${words.join(" ")} W7 W449999`, false)
  expect(many.words.split(" ")).toEqual(words)
  expect(mayHave(many.neighbours, "what it", "never had")).toBe(true)
  expect(tokenizer.tokens("w7 a W449999 w7", false).words).toBe("w7 a w449999")
})

test("most texts in which two words stand apart are not read for a phrase of them", () => {
  const words = Array.from({ length: 200 }, (_, at) => `w${at}`)
  const { neighbours } = tokenizer.tokens(words.join(" "), false)
  const apart = words.filter((word, at) => mayHave(neighbours, word, words[at - 7] ?? ""))
  expect(apart.length).toBeLessThan(30)
  expect(neighbours?.length).toBeLessThanOrEqual(150)
})
