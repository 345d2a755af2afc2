import { jsonText } from "@treelog/session-core/json"
import { jsonObject, tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Deeper than the runtime's own writer goes. */
const DEEP = 8_000

/** The value in the middle of so many arrays and objects, and the text around its own. */
function nested(value: unknown, levels: number): { value: unknown; before: string; behind: string } {
  let deep = value
  for (let level = 0; level < levels; level++) deep = level % 2 === 0 ? [deep] : { a: deep, b: level }
  const text = jsonText(deep) ?? ""
  const own = JSON.stringify([value]).slice(1, -1)
  const at = text.indexOf(own)
  return { value: deep, before: text.slice(0, at), behind: text.slice(at + own.length) }
}

describe("jsonText", () => {
  it("is what JSON.stringify gives, for anything that is not nested too deeply for it", () => {
    const odd = fc.constantFrom<unknown>(
      undefined,
      Symbol("s"),
      () => 1,
      new Date(0),
      Number.NaN,
      new String("x"),
      { toJSON: (key: string) => `as ${key}` },
      { toJSON: () => undefined },
      JSON.parse('{"__proto__":{"a":1}}'),
    )
    fc.assert(
      fc.property(fc.oneof(jsonObject, odd, fc.array(odd), fc.dictionary(fc.string(), odd)), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value))
        expect(jsonText(value, "indented")).toBe(JSON.stringify(value, null, 2))
        // The same value inside of so many levels that only the other writer can write it.
        const { before, behind } = nested(0, DEEP)
        expect(jsonText(nested(value, DEEP).value)).toBe(`${before}${JSON.stringify([value]).slice(1, -1)}${behind}`)
      }),
      { numRuns: tries(4) },
    )
  })

  it("is read back as the same text, at any depth", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200_000 }), (levels) => {
        const text = `${'{"a":['.repeat(levels)}"end"${"]}".repeat(levels)}`
        expect(jsonText(JSON.parse(text))).toBe(text)
        expect(jsonText(JSON.parse(text), "indented")?.replace(/\s/g, "")).toBe(text)
      }),
      { numRuns: tries(2) },
    )
  })

  it("ends with a TypeError at a cycle that is longer than the runtime's own writer goes, and at a BigInt that deep", () => {
    const bottom: { up?: unknown } = {}
    let top: unknown = bottom
    for (let level = 0; level < DEEP; level++) top = { down: top }
    bottom.up = top
    expect(() => jsonText(top)).toThrow(TypeError)
    bottom.up = 1n
    expect(() => jsonText(top)).toThrow(TypeError)
  })

  it("takes an object that stands at several places for no cycle", () => {
    const shared = { x: 1 }
    let top: unknown = [shared, shared]
    for (let level = 0; level < DEEP; level++) top = [top]
    expect(jsonText(top)).toContain('[{"x":1},{"x":1}]')
  })
})
