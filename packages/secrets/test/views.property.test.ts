import { findSecrets, redactText } from "@treelog/secrets"
import { tries } from "@treelog-internal/test-kit"
import { PLANTED_KINDS, plantedSecrets } from "@treelog-internal/test-kit/secrets"
import fc from "fast-check"
import { expect, it } from "vitest"
import { viewsOf } from "./door.js"

const TOKEN = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`
const MARK = "[redacted GitHub token]"
const ESC = "\x1b"

/** Ways in which a character may be written. */
const WRITTEN: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `\\u${hex(character, 4)}`,
  (character) => `\\\\u${hex(character, 4).toUpperCase()}`,
  (character) => `\\u{${hex(character, 1)}}`,
  (character) => `\\x${hex(character, 2)}`,
  (character) => `%${hex(character, 2)}`,
  (character) => `%25${hex(character, 2).toUpperCase()}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hex(character, 2)};`,
  (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
]
const hex = (character: string, length: number): string => character.charCodeAt(0).toString(16).padStart(length, "0")

/** What a terminal obeys, as it may stand in a text. */
const TERMINAL = [
  `${ESC}[0m`,
  `${ESC}[1;32m`,
  `${ESC}[K`,
  `${ESC}(B`,
  "\\u001b[31m",
  "\\x1b[0m",
  "\\033[4m",
  "\\e[7m",
  "^[[0m",
  "\\\\u001b[0m",
]

it("cuts out of the text what was found in a view of it, escape sequences within it included", async () => {
  for (const code of TERMINAL) {
    const written = `${TOKEN.slice(0, 15)}${code}${TOKEN.slice(15)}`
    expect(redactText(`a ${code}${written}${code} b`).text, JSON.stringify(code)).toBe(`a ${code}${MARK}${code} b`)
  }
})

it("finds a token however its characters are written, and cuts out exactly these", async () => {
  const character = fc.tuple(fc.nat(WRITTEN.length - 1), fc.option(fc.constantFrom(...TERMINAL), { freq: 8 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(character, { minLength: TOKEN.length, maxLength: TOKEN.length }),
      fc.constantFrom("", " ", "key=", `${ESC}[32m`, "\\n", "%3D", "密"),
      async (ways, before) => {
        const written = [...TOKEN].map((character, at) => {
          const [way, terminal] = ways[at] ?? [0, null]
          return (at > 0 ? (terminal ?? "") : "") + (WRITTEN[way]?.(character) ?? character)
        })
        const text = `${before}${written.join("")} .`
        expect(redactText(text).text).toBe(`${before}${MARK} .`)
      },
    ),
    { numRuns: tries(300), seed: 20261122 },
  )
})

it("places every stretch of a view in the text that it was made of, in order and within it", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 5 }),
    fc.constantFrom(...TERMINAL, "%3D", "\\u003d", "\\n", '\\"', "&amp;", "%E5%AF%86", "\\", "%", "&", ESC),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), fc.nat(), (pieces, one, other) => {
      const text = pieces.join("")
      for (const view of viewsOf(text)) {
        if (view.text === "") continue
        const [start, last] = [one % view.text.length, other % view.text.length].sort((a, b) => a - b) as [
          number,
          number,
        ]
        const placed = view.placed(start, last + 1)
        expect(placed.start).toBeGreaterThanOrEqual(0)
        expect(placed.end).toBeGreaterThan(placed.start)
        expect(placed.end).toBeLessThanOrEqual(text.length)
        expect(view.placed(0, view.text.length).end).toBeGreaterThanOrEqual(placed.end)
      }
    }),
    { numRuns: tries(500), seed: 20261122 },
  )
})

it("changes nothing in what was redacted, whatever stands around the secrets", async () => {
  const secrets = plantedSecrets(PLANTED_KINDS.length * 2, 41)
  const piece = fc.oneof(
    fc.nat(secrets.length - 1).map((index) => secrets[index]?.text ?? ""),
    fc.constantFrom(...TERMINAL, "%3D", "\\u003d", "\\n", '\\"', " ", "=", "password=", "密", "[", "]", "&"),
    fc.string({ maxLength: 4 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const { text } = redactText(pieces.join(""))
      expect(findSecrets(text)).toEqual([])
      expect(redactText(text).text).toBe(text)
    }),
    { numRuns: tries(300), seed: 20261122 },
  )
})
