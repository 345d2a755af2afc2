import { cleanText } from "@treelog-internal/text"
import { expect, test } from "vitest"

const ESCAPE = String.fromCharCode(0x1b)

test("a long text full of half sequences takes time in proportion to its length", () => {
  for (const piece of [`${ESCAPE}[`, `${ESCAPE}]`, `${ESCAPE}[0;`, `${ESCAPE}]8;;`]) {
    expect(cleanText(piece.repeat(200_000)).length).toBeGreaterThan(200_000)
  }
})

test("each control character and each that steers the reading direction is found, wherever it stands alone", () => {
  const steering = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    if (steering.test(character) && character !== "\n") expect(cleanText(`a${character}b`)).not.toContain(character)
    else expect(cleanText(`a${character}b`)).toBe(`a${character}b`)
  }
})
