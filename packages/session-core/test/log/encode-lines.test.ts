import fc from "fast-check"
import { expect, it } from "vitest"
import { LineEncoder } from "../../src/log/encode-lines.js"
import { encodeText } from "../../src/log/format-line.js"
import { joinBytes } from "../../src/log/join-bytes.js"

/** Short and long ones, of one, two, three and four bytes a character, around the lengths where lines go another way. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme" }) },
  fc.string({ unit: "binary-ascii" }),
  fc.string(),
  fc
    .tuple(
      fc.constantFrom("x", "é", "語", "😀"),
      fc.constantFrom(300, 510, 511, 2_000, 16_384, 70_000, 349_525, 600_000),
    )
    .map(([unit, count]) => unit.repeat(count)),
)
const line = text.map((content) => JSON.stringify(content))

function encoded(lines: readonly string[]) {
  const encoder = new LineEncoder()
  for (const each of lines) encoder.add(each)
  return encoder.finish()
}

it("lines that are encoded together are what they are alone, in order, each of its length", () => {
  fc.assert(
    fc.property(fc.array(line, { size: "medium" }), (lines) => {
      const alone = lines.map((each) => encodeText(`${each}\n`))
      const { pieces, lengths } = encoded(lines)
      expect(lengths).toEqual(alone.map(({ length }) => length))
      expect(Buffer.compare(joinBytes(pieces), joinBytes(alone))).toBe(0)
    }),
  )
})

it("many short lines are a few pieces", () => {
  const { pieces, lengths } = encoded(Array.from({ length: 10_000 }, (_, index) => `"short ${index} é"`))
  expect(lengths).toHaveLength(10_000)
  expect(pieces.length).toBeLessThan(10)
})

it.each(["one line", "é".repeat(100_000)])("a line alone takes no more memory than it needs (%#)", (content) => {
  const { pieces } = encoded([content])
  expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual([Buffer.byteLength(content) + 1])
})
