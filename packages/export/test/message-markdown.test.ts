import { FileChanges } from "@treelog-internal/text"
import fc from "fast-check"
import { expect, test } from "vitest"
import { messageMarkdown, readableMarkdown } from "./door.js"

const rendering = () => ({ changes: new FileChanges(), imageAddress: () => undefined })
const ESCAPE = String.fromCharCode(0x1b)
const PARTS = [
  "a",
  "`",
  "~",
  "\n",
  "\r",
  "\t",
  "+",
  "-",
  " ",
  "@@",
  ESCAPE,
  `${ESCAPE}]0;`,
  "\u0007",
  "\u202e",
  "\u2028",
]
const hostile = fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join(""))
const edits = fc.array(fc.record({ old_text: hostile, new_text: hostile }), { minLength: 1 })
const call = fc
  .oneof(
    fc.record({ path: hostile, oldText: hostile, newText: hostile }),
    fc.record({ path: hostile, content: hostile }),
    fc.record({ path: hostile, edits }),
  )
  .map((toolArguments) => ({
    role: "assistant",
    content: [{ type: "toolCall", id: "c", name: "edit", arguments: toolArguments }],
  }))

test("changes of files stay within their fences", () => {
  fc.assert(
    fc.property(call, (message) => {
      const markdown = messageMarkdown(message, rendering())
      expect(readableMarkdown(markdown, "markdown").split("\n")).toHaveLength(markdown.trimEnd().split("\n").length + 1)
      const outside = markdown.replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, "")
      expect(outside.match(/<details(?: open)?>/g)).toHaveLength(1)
      expect(outside.trimEnd().endsWith("</details>")).toBe(true)
    }),
  )
})

test("an output is read once, whatever line ends it has", () => {
  const output = `a${"\n".repeat(300_000)}b\n\n`
  const markdown = messageMarkdown({ role: "toolResult", toolName: "bash", content: output }, rendering())
  expect(markdown).toContain("\nb\n```")
})
