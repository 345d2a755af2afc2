import { foldTerms, foldText, matchesAll, matchRanges, snippetOf, wordsOf } from "@treelog/session-core/search"
import { afterEach, expect, it, vi } from "vitest"

afterEach(() => vi.restoreAllMocks())

/** What a search asks of strings and patterns: how many units these read, at least. */
function countWork(search: () => void): number {
  let work = 0
  const { indexOf, startsWith, charCodeAt, codePointAt } = String.prototype
  const { exec } = RegExp.prototype
  vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, sought, from = 0) {
    const at = indexOf.call(this, sought, from)
    work += (at === -1 ? this.length : at) - from + sought.length
    return at
  })
  vi.spyOn(String.prototype, "startsWith").mockImplementation(function (this: string, sought, from) {
    work += sought.length
    return startsWith.call(this, sought, from)
  })
  vi.spyOn(String.prototype, "charCodeAt").mockImplementation(function (this: string, at) {
    work += 1
    return charCodeAt.call(this, at)
  })
  vi.spyOn(String.prototype, "codePointAt").mockImplementation(function (this: string, at) {
    work += 1
    return codePointAt.call(this, at)
  })
  vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
    const from = this.global ? this.lastIndex : 0
    const found = exec.call(this, text)
    work += (found === null ? text.length : found.index + found[0].length) - from
    return found
  })
  search()
  vi.restoreAllMocks()
  return work
}

const RUSSIAN = "повторная попытка не удалась потому что очередь закрыта "

it.each([
  ["Russian, whose words stand apart", (n: number) => RUSSIAN.repeat(n), "попытка очередь не удалась потому"],
  ["Russian, as it is written", (n: number) => RUSSIAN.repeat(n), "повторная попытка не удалась"],
  ["one word many times", (n: number) => "a ".repeat(n * 20), `${"a ".repeat(100)}b`],
  ["the characters of a part many times", (n: number) => "ab".repeat(n * 20), `${"ab".repeat(200)}c`],
  ["marks and spaces", (n: number) => "ab ...   ---   ".repeat(n * 4), "ab cd"],
  ["Chinese without spaces", (n: number) => "重试失败了因为队列".repeat(n * 6), "重试 队列 失败"],
  ["marks upon marks, and Hangul in parts", (n: number) => "e\u0301\u0301 ᄒ\u1161\u11ab ﬁ ".repeat(n * 4), "é 하 fi"],
  ["very many marks on one letter", (n: number) => `a${"\u0301".repeat(n * 40)} b`, "ab cd"],
  ["symbols outside the plane", (n: number) => "🚀 go ".repeat(n * 8), "go go 🚀 stop"],
])("twice the text is twice the work, at most: %s", (_, text, phrase) => {
  const work = [30, 60].map((n) => {
    const [said, terms] = [text(n), foldTerms([{ text: phrase }, { text: phrase, isPrefix: true }])]
    return countWork(() => {
      const folded = foldText(said)
      wordsOf(folded)
      for (const role of ["user", "toolResult"] as const) {
        matchesAll(terms, folded, role)
        for (const _ of matchRanges(said, terms, role, folded));
        snippetOf(said, terms, role, 160, folded)
      }
    })
  })
  const [half = 0, whole = 0] = work
  expect(whole).toBeLessThan(half * 2.1)
  expect(whole).toBeLessThan(text(60).length * 50)
})

it("finds a phrase of any length, and shows where it is", () => {
  for (const phrase of [
    "а б ".repeat(4_000),
    "retry(a[0]) + b ".repeat(3_000),
    "x".repeat(33_000),
    "修".repeat(33_000),
  ]) {
    const said = `before ${phrase.trim()} behind`
    const terms = foldTerms([{ text: phrase }])
    expect(matchesAll(terms, foldText(said), "toolResult")).toBe(true)
    expect([...matchRanges(said, terms, "toolResult")]).toMatchObject([[7, expect.any(Number)]])
    expect(matchesAll(terms, foldText(said.replace(/.( behind)/u, "y$1")), "user")).toBe(false)
  }
})

it("reads a term of thousands of words once for each text that can have it, not for shorter ones", () => {
  let reads = 0
  const words = new Proxy(wordsOf(RUSSIAN.repeat(1_000)), {
    get(target, name) {
      if (typeof name === "string" && /^\d+$/.test(name)) reads += 1
      return Reflect.get(target, name)
    },
  })
  const terms = foldTerms([{ text: "повторная попытка" }]).map((term) => ({ ...term, words }))
  matchesAll(terms, foldText(RUSSIAN.repeat(1_001)), "toolResult")
  expect(reads).toBeGreaterThan(words.length)
  reads = 0
  for (let at = 0; at < 100; at++) matchesAll(terms, foldText(RUSSIAN), "toolResult")
  expect(reads).toBeLessThan(words.length)
})

it("reads a word of 30 million characters, as digits of a file are", () => {
  expect(wordsOf(`é${"0f".repeat(15_000_000)}é end`).map(({ length }) => length)).toEqual([30_000_002, 3])
})
