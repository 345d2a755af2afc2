import fc from "fast-check"
import { expect, it } from "vitest"
import { encodeLines } from "../../src/log/encode-lines.js"
import { encodeText } from "../../src/log/format-line.js"
import { joinBytes } from "../../src/log/join-bytes.js"

const line = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary-ascii" }),
    fc.string(),
    fc.constantFrom("x".repeat(700_000), "é".repeat(600_000)),
  )
  .map((text) => `${JSON.stringify(text)}\n`)

it("lines that are encoded together are what they are alone, in order, each of its length", () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const alone = lines.map(encodeText)
      const { pieces, lengths } = encodeLines(lines)
      expect(lengths).toEqual(alone.map(({ length }) => length))
      expect(Buffer.compare(joinBytes([...pieces]), joinBytes(alone))).toBe(0)
    }),
  )
})
