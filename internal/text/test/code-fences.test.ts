import { fencedCode } from "@treelog-internal/text"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

describe("The blocks of fenced code in a text", () => {
  const found = (text: string): string[] =>
    [...fencedCode(text)].map(({ from, to, fence }) => `${fence} ${JSON.stringify(text.slice(from, to))}`)

  test("are those of Markdown.", () => {
    expect(found("a\n```js\nb\n```\nc")).toEqual(['``` "```js\\nb\\n```"'])
    expect(found("~~~~\n```\n~~~\n~~~~ \n")).toEqual(['~~~~ "~~~~\\n```\\n~~~\\n~~~~ "'])
    expect(found("```code``` in a line")).toEqual([])
    expect(found("a\n```\nb")).toEqual(['``` "```\\nb"'])
  })

  test("follow one another, each from a fence to a fence.", () => {
    const lines = fc.array(fc.constantFrom("```", "````", "~~~", "```js", "```x``", "a", ""), { maxLength: 30 })
    fc.assert(
      fc.property(lines, (pieces) => {
        const text = pieces.join("\n")
        let end = 0
        for (const { from, to = text.length, fence } of fencedCode(text)) {
          expect(from).toBeGreaterThanOrEqual(end)
          expect(text.startsWith(fence, from)).toBe(true)
          end = to
        }
      }),
    )
  })

  test("are found in one pass, however many fences nothing closes.", () => {
    expect(found("```x\n".repeat(400_000))).toHaveLength(1)
  })
})
