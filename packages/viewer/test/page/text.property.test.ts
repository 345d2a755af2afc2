import { tries } from "@treelog-internal/test-kit"
import { cleanTabbed } from "@treelog-internal/text"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  ansiSegments,
  callSubject,
  lineWithoutMarkdown,
  markdownHtml,
  nearestPoint,
  plotScale,
  readableLine,
  segmentsUpTo,
  toolCallOf,
} from "./door.js"

describe("Readable text", () => {
  test("has no character that hides, steers or turns around, whatever it is made of.", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const text of [cleanTabbed(value), readableLine(value)])
          expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/u)
        expect(readableLine(value)).not.toMatch(/[\n\t]/)
      }),
      { numRuns: tries(100) },
    )
  })

  test("stays as it is where there is nothing of that sort.", () => {
    expect(cleanTabbed("a\n\tb 你好 ✅ é")).toBe("a\n\tb 你好 ✅ é")
    expect(cleanTabbed("\u001b[1;32mgreen\u001b[0m\r\nnext\u0007 \u202e")).toBe("green\nnext\\x07 \\u202e")
  })

  test("in one line is cut between characters, and loses marks of Markdown where it is asked to.", () => {
    expect(readableLine("  a\n b ", 80)).toBe("a b")
    expect(readableLine("🙂".repeat(20), 10)).toBe(`${"🙂".repeat(4)}…`)
    expect(lineWithoutMarkdown("## Goal\n- **bold** `code`\n> quote")).toBe("Goal bold code quote")
  })
})

describe("Markdown", () => {
  test("of many paragraphs has its form.", () => {
    const html = markdownHtml("Some *text* with `code` and **more**, _and so on_.\n\n".repeat(3_000))
    expect(html.match(/<strong>more<\/strong>/g)).toHaveLength(3_000)
  })

  test("with more marks than can be read in one pass stays as it is written.", () => {
    for (const marks of ["**a* ", "a_", "!", "https://a.b/("]) {
      const text = `${marks.repeat(40_000)}.`
      expect(markdownHtml(text) === `<p>${text}</p>\n`).toBe(true)
    }
    expect(markdownHtml("> ".repeat(40_000)).match(/<blockquote>/g)?.length).toBeLessThan(100)
  })
})

test("A call is identified by its most significant argument.", () => {
  const subject = (given: unknown): string => {
    const call = toolCallOf({ type: "toolCall", id: "1", name: "x", arguments: given })
    return call ? callSubject(call) : ""
  }
  expect(subject({ limit: 3, path: "a.ts" })).toBe("a.ts")
  expect(subject({ command: "ls\n-l" })).toBe("ls -l")
  expect(subject({ other: "words" })).toBe("words")
  for (const odd of [undefined, null, [], {}, { path: 3 }]) expect(subject(odd)).toBe("")
})

test("A plot spreads its points from left to right, and gives a long pause no more room than a short one.", () => {
  const point = (minutes: number) => ({
    ordinal: minutes,
    time: minutes * 60_000,
    context: 1,
    usages: [],
    isCompaction: false,
  })
  const { x, pauses } = plotScale([point(0), point(5), point(600), point(605)])
  expect(x[0]).toBe(0)
  expect(x.at(-1)).toBe(1)
  expect(pauses).toHaveLength(1)
  expect((x[2] ?? 0) - (x[1] ?? 0)).toBeCloseTo(0.5)
  expect([0, 0.2, 0.3, 0.8, 2].map((place) => nearestPoint(x, place))).toEqual([0, 1, 1, 2, 3])
  expect(plotScale([]).x).toEqual([])
})

describe("The output of a program", () => {
  const styles = (output: string): string[] => ansiSegments(output).map(({ text, style }) => `${style}: ${text}`)

  test("has the styles of its escape sequences, in colours of the page.", () => {
    expect(styles("a \u001b[1;32mb\u001b[39m c\u001b[0m d")).toEqual([
      ": a ",
      "ansi-green ansi-bold: b",
      "ansi-bold:  c",
      ":  d",
    ])
    expect(styles("\u001b[41;37mFAIL\u001b[m")).toEqual(["ansi-on ansi-red: FAIL"])
    expect(styles("\u001b[7;31mFAIL\u001b[27m!")).toEqual(["ansi-on ansi-red: FAIL", "ansi-red: !"])
    expect(styles("\u001b[38;5;196ma\u001b[38;2;20;40;250mb\u001b[38:5:2mc\u001b[97md")).toEqual([
      "ansi-red: a",
      "ansi-blue: b",
      "ansi-green: c",
      "ansi-white: d",
    ])
    expect(styles("\u001b[2mdim\u001b[22;3;4;9mall\u001b[23;24;29m none")).toEqual([
      "ansi-faint: dim",
      "ansi-italic ansi-underlined ansi-struck: all",
      ":  none",
    ])
    expect(styles("\u001b[31mred\u001b]8;;http://a.example\u0007link\u001b[2K\r\u001b[0m\n")).toEqual([
      "ansi-red: redlink",
      ": \n",
    ])
  })

  test("is the same text as without them, whatever it is, and has only known styles.", () => {
    const parts = fc.constantFrom(
      "\u001b",
      "[",
      "31",
      "m",
      ";",
      "38;5;",
      "\u001b[31m",
      "\u001b[0m",
      "\r",
      "\n",
      "a",
      "\u202e",
      "\u001b]0;",
      "\u0007",
      "<b>",
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (pieces) => {
        const output = pieces.join("")
        const segments = ansiSegments(output)
        expect(segments.map(({ text }) => text).join("")).toBe(cleanTabbed(output))
        for (const { style } of segments) expect(style).toMatch(/^(?:ansi-[a-z]+(?: |$))*$/)
        const length = Math.floor(output.length / 2)
        expect(
          segmentsUpTo(segments, length)
            .map(({ text }) => text)
            .join(""),
        ).toBe(cleanTabbed(output).slice(0, length))
      }),
      { numRuns: tries(100) },
    )
  })
})
