import type { SessionEntry } from "@treelog/session-core"
import { entryFacts, foldTerms, foldText, matchesAll, phraseFilter } from "@treelog/session-core/search"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byteText, FOLDED_TO_ASCII } from "../door.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const entryWith = (content: unknown): object => ({ type: "message", id: "a", message: { role: "assistant", content } })
const filterFor = (phrase: string) => phraseFilter(foldTerms([{ text: phrase }]))
const mayHave = (phrase: string, content: unknown) => filterFor(phrase)?.(bytesOf(JSON.stringify(entryWith(content))))

describe("phraseFilter", () => {
  it("excludes entries that have the words apart, also with accents, escapes and other strings between them", () => {
    for (const text of [
      "a cart of high price",
      "the price, cart or",
      "cart naïve price",
      "cart\\ of\nprice 折扣",
      "\u001b[0mcart a price",
    ])
      expect(mayHave("cart price", text), text).toBe(false)
    expect(
      mayHave("cart price", [
        { type: "text", text: "cart of" },
        { type: "text", text: "price" },
      ]),
    ).toBe(false)
  })

  it("keeps entries that have the phrase in any form", () => {
    for (const text of [
      "Cart\nPRICE",
      "carts cart — price",
      "cárt price",
      "ｃａｒｔ　ｐｒｉｃｅ",
      "car\u0301t\u001b[price",
      "cart\u2028price",
      'cart"price',
    ])
      expect(mayHave("cart price", text), text).toBe(true)
    expect(
      mayHave("cart price", [
        { type: "text", text: "a cart." },
        { type: "text", text: "Price" },
      ]),
    ).toBe(true)
    expect(mayHave("cart price", [{ type: "toolCall", name: "x", arguments: { b: "price", 1: "cart" } }])).toBe(true)
  })

  it("does not search for phrases with numbers, single words and what is excluded", () => {
    expect([filterFor("price 20"), filterFor("price"), filterFor("infinity war")]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(phraseFilter(foldTerms([{ text: "cart price", isExcluded: true }]))).toBeUndefined()
  })

  it("knows the bytes of every character that folds to letters or digits of ASCII, or to nothing", () => {
    const unknown: string[] = []
    for (let code = 0x80; code < 0x11_0000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue
      const character = String.fromCodePoint(code)
      const folded = foldText(character)
      if (!/[a-z0-9]/.test(folded) && folded !== "") continue
      if (byteText(bytesOf(character)).search(FOLDED_TO_ASCII) !== 0) unknown.push(code.toString(16))
    }
    expect(unknown).toEqual([])
  })

  it("never excludes an entry with a text that matches", () => {
    const piece = fc.constantFrom(
      ...'ab aB áb Ａb a\u0301b ﬁ fi FI x1 折 \u{1d41a}b ab\ufe0f ㎉ kcal · \\ " \\n \\u0061 \u001b[0m \u007f ½ \ud83d e'.split(
        " ",
      ),
      " ",
      " ",
      "\n",
      "\t",
      "",
    )
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""))
    const string = fc.oneof(text, fc.double(), fc.integer())
    const content = fc.oneof(
      text,
      fc.array(
        fc.oneof(
          text.map((said) => ({ type: "text", text: said })),
          fc.dictionary(text, string).map((args) => ({ type: "toolCall", name: "ab", arguments: args })),
        ),
        { maxLength: 3 },
      ),
    )
    const phrase = fc.array(fc.constantFrom("ab", "fi", "kcal", "x1", "a", "e", "b", "折"), {
      minLength: 2,
      maxLength: 3,
    })
    fc.assert(
      fc.property(content, phrase, fc.boolean(), (said, words, isEscaped) => {
        const terms = foldTerms([{ text: words.join(" ") }])
        const filter = phraseFilter(terms)
        if (filter === undefined) return
        const json = JSON.stringify(entryWith(said))
        const escaped = json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        const line = isEscaped ? escaped : json
        const { texts } = entryFacts(JSON.parse(line) as SessionEntry)
        const isFound = texts.some((one) => matchesAll(terms, foldText(one.text), one.role))
        if (isFound) expect(filter(bytesOf(line))).toBe(true)
      }),
      { numRuns: tries(300) },
    )
  })
})
