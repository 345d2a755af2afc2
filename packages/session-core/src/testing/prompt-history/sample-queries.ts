import type { Random } from "./random.js"
import { sampleText, sampleWord } from "./sample-prompts.js"

/** Unusual queries. */
const ODD = [
  "",
  " ",
  "\t\n",
  "*",
  '"',
  '""',
  "'",
  "NEAR(",
  "NEAR(x, 2)",
  "AND",
  "OR NOT",
  "a AND b",
  "^",
  ":",
  "grams:x",
  "(",
  ")",
  "{}",
  "C++",
  "c#",
  "foo.bar",
  "snake_case",
  "_case",
  "o.b",
  "-",
  "--",
  "--flag",
  "%",
  "_",
  "50%",
  "\\",
  "\\d",
  ";",
  "`",
  "`await",
  "a*",
  "\0",
  "\ud800",
  "😀",
  "👩",
  "\u200d",
  "❤",
  "❤️",
  "🇪",
  "①",
  "1",
  "ﬁ",
  "fi",
  "ss",
  "ß",
  "STRASSE",
  "İ",
  "i",
  "ı",
  "é",
  "e\u0301",
  "Ж",
  "москва",
  "ΕΛΛΗΝΙΚΑ",
  "か",
  "が",
  "ガ",
  "ｶﾞ",
  "가",
  "각",
  "ㄱ",
  "FULL",
  "ｆｕ",
  "的",
  "的 a",
  "zzzzzz",
  "q",
  "qz",
  "x y z",
  "\u0080",
  "\u00801",
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
  switch (random.below(6)) {
    case 0:
      return word
    case 1:
      return word.slice(0, 1 + random.below(word.length))
    case 2:
      return word.slice(random.below(word.length))
    case 3:
      return `${sampleWord(random)} ${word.slice(0, 2)}`
    case 4:
      return prompt.slice(start, start + 1 + random.below(3)).join("")
    default:
      return prompt.slice(start, start + 1 + random.below(12)).join("")
  }
}
