import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, test } from "vitest"
import { readableMarkdown } from "./door.js"

/** Joins lines. */
const lines = (...all: string[]): string => `${all.join("\n")}\n`

test.each([
  ["<details><summary>x</summary>", String.raw`\<details>\<summary>x\</summary>`],
  ["a <!-- b", String.raw`a \<!-- b`],
  ["<![CDATA[ x", String.raw`\<![CDATA[ x`],
  ["<?php ?>", String.raw`\<?php ?>`],
  ["1 < 2 and a<b>", String.raw`1 < 2 and a\<b>`],
  ["see <https://example.org/a>", "see <https://example.org/a>"],
  ["<javascript:alert(1)>", String.raw`\<javascript:alert(1)>`],
  ["`<b>` and ``a ` <i>``", "`<b>` and ``a ` <i>``"],
  ["an open ` and <b>", String.raw`an open ${"`"} and \<b>`],
])("%j is %j in any text", (text, expected) => {
  expect(readableMarkdown(text, "typed")).toBe(`${expected}\n`)
  expect(readableMarkdown(text, "markdown")).toBe(`${expected}\n`)
})

test("an answer keeps its Markdown, and what it escapes itself", () => {
  const answer = lines(
    "# A *b* [c](d)",
    "",
    "| a | b |",
    "|---|---|",
    "| `x` | 2 |",
    "",
    String.raw`\<b> and \\`,
    "---",
  )
  expect(readableMarkdown(answer, "markdown")).toBe(answer)
  expect(readableMarkdown(String.raw`\\<b>`, "markdown")).toBe(`${String.raw`\\\<b>`}\n`)
})

test("no code of a table is longer than its cell", () => {
  const table = lines("| a | b |", "|---|---|", "| `x|<details>` | 2 |")
  expect(readableMarkdown(table, "markdown")).toBe(table.replace("<details>", "\\<details>"))
})

test("tags stay in blocks of code, whatever they are in, and blocks that are open are closed", () => {
  for (const code of [
    lines("```html", "<b>", "```"),
    lines("~~~~", "<b>", "```", "~~~", "~~~~"),
    lines("    <b>", "", "    <!--"),
    lines("1. do", "   ```html", "   <b>", "   ```", "2. more"),
    lines("- do", "", "    ```html", "    <b>", "    ```"),
    lines("> ```", "> <b>", "> ```"),
    lines("- a", "", "      <b>"),
  ])
    for (const form of ["typed", "markdown"] as const) expect(readableMarkdown(code, form)).toBe(code)
  expect(readableMarkdown("```\n<b>", "markdown")).toBe(lines("```", "<b>", "```"))
  expect(readableMarkdown("- a\n  ~~~\n  <b>", "typed")).toBe(lines("- a", "  ~~~", "  <b>", "  ~~~"))
  // A quote ends, and its code with it.
  expect(readableMarkdown("> ```\n<b>", "markdown")).toBe(lines("> ```", "\\<b>"))
  // Within a list, as much indentation is a paragraph.
  expect(readableMarkdown("- a\n\n    <b>", "markdown")).toBe(lines("- a", "", "    \\<b>"))
  // A line within a paragraph is no code.
  expect(readableMarkdown("a\n    <b>", "markdown")).toBe(lines("a", "    \\<b>"))
})

test("a tag that begins a line is none, even where code goes over several lines", () => {
  expect(readableMarkdown("`a\n<details>`", "markdown")).toBe(lines("`a", "\\<details>`"))
})

test("what is typed is shown as typed: its lines, and its signs", () => {
  const typed =
    "snake_case __init__ *args 2 * 3 ~~x~~ ~/a [a](b) &lt; C:\\_x https://a.b/_c_?d=*e\n# no heading\nno heading\n---"
  expect(readableMarkdown(typed, "typed")).toBe(
    lines(
      String.raw`snake_case \_\_init\_\_ \*args 2 * 3 \~\~x\~\~ ~/a [a\](b) \&lt; C:\\\_x https://a.b/_c_?d=*e  `,
      String.raw`\# no heading  `,
      "no heading  ",
      String.raw`\---`,
    ),
  )
  expect(readableMarkdown("- a\n- b\n1. c", "typed")).toBe(lines("- a", "- b", "1. c"))
})

const PARTS = [
  ...[
    "<details>",
    "<!--",
    "<script>",
    "</b>",
    "<![CDATA[",
    "<?x ",
    "`",
    "``",
    "```",
    "~~~",
    "\n",
    "\n\n",
    "    ",
    "  ",
  ],
  ...[
    "- ",
    "1. ",
    "2) ",
    "> ",
    "# ",
    "---",
    "===",
    "| a | b |\n|---|---|\n",
    "word",
    "*",
    "_",
    "&lt;",
    "\\",
    "```html\n",
  ],
]
const hostile = fc.array(fc.constantFrom(...PARTS), { maxLength: 16 }).map((parts) => `a${parts.join("")}`)

test("nothing is left to escape", () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom("typed", "markdown"), (text, form) => {
      const shown = readableMarkdown(text, form)
      expect(readableMarkdown(shown, "markdown")).toBe(shown)
    }),
    { numRuns: tries(2_000) },
  )
})

test("takes a time that grows with the text", () => {
  for (const part of ["`", "``a`", "> ", "- ", "<b", "\\", "\n", "| a |\n|-|\n", "*", "    "]) {
    const text = part.repeat(20_000)
    expect(readableMarkdown(text, "typed").length).toBeGreaterThan(0)
  }
})
