import type { Random } from "./random.js"
import { sampleText, sampleWord } from "./sample-prompts.js"

/** Unusual queries. */
const ODD = [
  ...["", " ", "\t\n", "\0", "\ud800", "\u200d", "e\u0301", "\u0080", "\u00801"],
  ...["x y z", "的 a", "NEAR(x, 2)", "OR NOT", "a AND b", "`", "`await"],
  ...String.raw`* " "" ' NEAR( AND ^ : grams:x ( ) {} C++ c# foo.bar snake_case _case o.b - -- --flag % _ 50% \ \d ; a*
😀 👩 ❤ ❤️ 🇪 ① 1 ﬁ fi ss ß STRASSE İ i ı é Ж москва ΕΛΛΗΝΙΚΑ か が ガ ｶﾞ 가 각 ㄱ FULL ｆｕ 的 zzzzzz q qz`.split(/\s/),
]

/** Queries: parts of possible prompts, and unusual ones. */
export function sampleQueries(random: Random, count: number): string[] {
  const queries = [...ODD, "x".repeat(10_000), "fix the ".repeat(1250), "的".repeat(3000)]
  while (queries.length < count) queries.push(sampleQuery(random))
  return queries.slice(0, count)
}

function sampleQuery(random: Random): string {
  const word = sampleWord(random)
  const prompt = [...sampleText(random)]
  const start = random.below(prompt.length)
  const kinds = [
    () => word,
    () => word.slice(0, 1 + random.below(word.length)),
    () => word.slice(random.below(word.length)),
    () => `${sampleWord(random)} ${word.slice(0, 2)}`,
    () => prompt.slice(start, start + 1 + random.below(3)).join(""),
    () => prompt.slice(start, start + 1 + random.below(12)).join(""),
  ]
  return random.pick(kinds)()
}
