import { cutLines, PLAIN } from "@treelog-internal/text"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const options = { style: PLAIN, full: false }

const line = fc.oneof(fc.stringMatching(/^[a-z ]{0,80}$/), fc.constant(""), fc.constant("word ".repeat(2_000)))

describe("a text that is shown for reference", () => {
  it("says how many lines are not shown, however long it is", () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), fc.nat(40), (lines, times) => {
        const text = Array.from({ length: times + 1 }, () => lines.join("\n")).join("\n")
        const all = text.trimEnd().split("\n")
        const [shown, last = ""] = [cutLines(text, options), cutLines(text, options).at(-1)]
        const begun = all.slice(0, 10).join("\n").slice(0, 2_000).split("\n").length
        const hidden = all.length - begun
        if (hidden > 0) expect(last).toBe(`  … ${hidden} more ${hidden === 1 ? "line" : "lines"} (--full)`)
        else expect(shown.length).toBeLessThanOrEqual(11)
      }),
    )
  })

  it("is cut where one line is very long, too", () => {
    const shown = cutLines(`${"x".repeat(100_000)}\u001b[0m`, options)
    expect(shown.at(-1)).toBe("  … more (--full)")
    expect(shown.join("\n").length).toBeLessThan(2_100)
  })

  it("is read once, whatever runs of white space it has", () => {
    const text = `\n \n  a${" ".repeat(300_000)}b\n${"\n".repeat(300_000)}c \n`
    const shown = cutLines(text, { ...options, full: true })
    expect([shown[0]?.trim()[0], shown.at(-1)]).toEqual(["a", "  c"])
  })

  it("has nothing of an escape sequence, wherever it stands", () => {
    fc.assert(
      fc.property(fc.nat(20_000), (at) => {
        const text = `${"a".repeat(at)}\u001b[31mred\u001b]0;title\u0007${"b".repeat(20_000)}`
        expect(cutLines(text, options).join("\n")).not.toContain("\u001b")
      }),
    )
  })
})
