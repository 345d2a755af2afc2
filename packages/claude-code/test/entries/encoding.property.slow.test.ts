import { formatLine } from "@treelog/session-core/adapter"
import { tries } from "@treelog-internal/test-kit"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ClaudeCodeConverter, sourceOfBytes } from "../../src/index.js"
import { nodeLatin1 } from "../../src/store/node-latin1.js"
import { call, reply, result, text, user } from "../lines.js"

/** Texts as JSON has them, between quotes: characters of one to four bytes, and escapes of them. */
const quoted = fc
  .array(
    fc.constantFrom(
      ..."a \u007f\u0080é—漢😀\u2028\ufeff",
      ...["\\n", '\\"', "\\\\", "\\/", "\\\\u00e9", "\\u0007", "\\u001b", "\\u007f", "\\u0080", "\\u00e9", "\\u2014"],
      ...["\\ud83d\\ude00", "\\ud83d", "\\u00E9"],
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""))

/** Lines of a session in which `<0>`, `<1>`, … stand for texts. */
const LINES = [
  user("u1", null, "<0>"),
  reply("a1", "u1", [text("<1>")], { id: "m1" }),
  reply("a2", "a1", [call("<2>", "<3>")], { id: "m1" }),
  result("r1", "a2", "<2>"),
  user("u2", "r1", "<4>", { isMeta: true }),
  user("<5>", "u2", "<6>"),
  { type: "attachment", uuid: "<7>", parentUuid: "<5>", rendered: "<8>", attachment: { type: "<9>" } },
  { type: "<10>", "<11>": "<12>", timestamp: "<13>" },
]
const TEXTS = 14

describe("A converted line as it stands in a file", () => {
  it("is the line that its entry gives, whatever the texts and the bytes are", () => {
    const texts = fc.array(quoted, { minLength: TEXTS, maxLength: TEXTS })
    const damage = fc.array(fc.tuple(fc.nat(4000), fc.integer({ min: 0x80, max: 0xff })), { maxLength: 2 })
    fc.assert(
      fc.property(texts, damage, (texts, damage) => {
        const lines = LINES.map((line) => JSON.stringify(line).replace(/<(\d+)>/g, (_, at) => texts[Number(at)] ?? ""))
        const bytes = Buffer.from(`${lines.join("\n")}\n`)
        for (const [at, byte] of damage) if (at < bytes.length) bytes[at] = byte
        const converter = new ClaudeCodeConverter({ name: "s1" })
        const entries = [...converter.update(sourceOfBytes(bytes), [], true).lines]
        const expected = entries.map((entry) => Buffer.from(formatLine(entry)))
        const formatted = [...converter.formatted(0, nodeLatin1)].map(({ text, encoding }) =>
          Buffer.from(text, encoding),
        )
        expect(formatted).toEqual(expected)
      }),
      { numRuns: tries(50) },
    )
  })
})
