import { buildSessionContext, type Message } from "@treelog/session-core"
import { convertToLlm } from "@treelog/session-core/messages"
import { chain, deepFreeze, entry, messageEntry, TEST_START, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { answer, call, image, result, text, user, wild } from "./histories.js"

const at = { timestamp: TEST_START }
const run = {
  role: "bashExecution",
  command: "npm test",
  output: "ok",
  cancelled: false,
  truncated: false,
  ...at,
} as const
const said = (message: Message): unknown => convertToLlm([message]).messages[0]

describe("convertToLlm", () => {
  it("passes the roles that models know as the same objects", () => {
    const messages = deepFreeze([
      wild({ role: "system", content: "Be brief." }),
      wild({ role: "developer", content: [text("Be exact.")] }),
      user(),
      answer(call("c1")),
      result("c1"),
      wild({ role: "user", content: null }),
    ])
    const { messages: llm, diagnostics } = convertToLlm(messages)
    expect(llm).toHaveLength(messages.length)
    for (const [index, message] of llm.entries()) expect(message).toBe(messages[index])
    expect(diagnostics).toEqual([])
  })

  it.each([
    [run, "Ran `npm test`\n```\nok\n```"],
    [{ ...run, output: "" }, "Ran `npm test`\n(no output)"],
    [{ ...run, exitCode: 0 }, "Ran `npm test`\n```\nok\n```"],
    [{ ...run, exitCode: null }, "Ran `npm test`\n```\nok\n```"],
    [{ ...run, exitCode: 2 }, "Ran `npm test`\n```\nok\n```\n\nCommand exited with code 2"],
    [{ ...run, exitCode: 2, cancelled: true }, "Ran `npm test`\n```\nok\n```\n\n(command cancelled)"],
    [{ ...run, truncated: true }, "Ran `npm test`\n```\nok\n```"],
    [
      { ...run, exitCode: 1, truncated: true, fullOutputPath: "/tmp/o" },
      "Ran `npm test`\n```\nok\n```\n\nCommand exited with code 1\n\n[Output truncated. Full output: /tmp/o]",
    ],
    [wild({ role: "bashExecution", ...at }), "Ran ``\n(no output)"],
  ])("makes text of a command (%#)", (message, expected) => {
    expect(said(message)).toEqual({ role: "user", content: [text(expected)], ...at })
  })

  it("leaves out a command that its user excluded, without a report", () => {
    expect(convertToLlm([{ ...run, excludeFromContext: true }])).toEqual({ messages: [], diagnostics: [] })
  })

  it.each([
    [{ exitCode: 0 }, "Ran Python:\n```python\n1 + 1\n```\nOutput:\n```\n2\n```"],
    [{ output: "" }, "Ran Python:\n```python\n1 + 1\n```\n(no output)"],
    [{ exitCode: 1 }, "Ran Python:\n```python\n1 + 1\n```\nOutput:\n```\n2\n```\n\nExecution failed with code 1"],
    [{ cancelled: true }, "Ran Python:\n```python\n1 + 1\n```\nOutput:\n```\n2\n```\n\n(execution cancelled)"],
  ])("makes text of Python code (%#)", (more, expected) => {
    const code = {
      role: "pythonExecution",
      code: "1 + 1",
      output: "2",
      cancelled: false,
      truncated: false,
      ...at,
    } as const
    expect(said({ ...code, ...more })).toEqual({ role: "user", content: [text(expected)], ...at })
    expect(convertToLlm([{ ...code, ...more, excludeFromContext: true }])).toEqual({ messages: [], diagnostics: [] })
  })

  it.each([
    [{ totalLines: 90, outputLines: 20 }, "[Showing 20 of 90 lines]"],
    [
      { totalLines: 90, shownRange: { start: 1, end: 20 }, truncatedBy: "bytes", maxBytes: 51_200, nextOffset: 21 },
      "[Showing lines 1-20 of 90 (50.0KB limit). Use sel=L21 to continue]",
    ],
    [{ totalLines: 9, outputLines: 2, artifactId: "7" }, "[Showing 2 of 9 lines. Read artifact://7 for full output]"],
  ])("says where the rest of an output is (%#)", (truncation, note) => {
    const expected = `Ran \`npm test\`\n\`\`\`\nok\n\`\`\`\n\n${note}`
    expect(said(wild({ ...run, meta: { truncation } }))).toEqual({ role: "user", content: [text(expected)], ...at })
  })

  it("makes words of the user of the files that were named", () => {
    const files = [
      { path: "src/a.ts", content: "const a = 1", lineCount: 1 },
      { path: "large.bin", content: "", byteSize: 9e9, skippedReason: "tooLarge" },
      { path: "plan.png", content: "", image: image() },
      null,
    ]
    const words =
      '<system-reminder>\n<file path="src/a.ts">\nconst a = 1\n</file>\n\n<file path="large.bin">\n</file>\n\n<file path="plan.png">\n</file>\n</system-reminder>'
    expect(said(wild({ role: "fileMention", files, ...at }))).toEqual({
      role: "user",
      content: [text(words), image()],
      ...at,
    })
    for (const unreadable of [[], null, "README.md"])
      expect(said(wild({ role: "fileMention", files: unreadable, ...at }))).toEqual(
        user([text("<system-reminder>\n\n</system-reminder>")]),
      )
  })

  it("puts the pictures of a command behind its output", () => {
    expect(said({ ...run, images: [image()] })).toEqual({
      role: "user",
      content: [text("Ran `npm test`\n```\nok\n```"), image()],
      ...at,
    })
  })

  it("keeps the attribution of a custom message", () => {
    const custom = { role: "custom", customType: "memory", display: true, content: "zod", ...at } as const
    for (const role of ["custom", "hookMessage"] as const)
      expect(said({ ...custom, role, attribution: "agent" })).toEqual({ ...user([text("zod")]), attribution: "agent" })
  })

  it("makes words of the user of custom messages", () => {
    const custom = { role: "custom", customType: "memory", display: true, details: { n: 1 }, ...at } as const
    expect(said({ ...custom, content: "zod" })).toEqual({ role: "user", content: [text("zod")], ...at })
    const blocks = [text("See"), image()]
    expect(said({ ...custom, content: blocks })).toEqual({ role: "user", content: blocks, ...at })
    expect(said(wild({ ...custom, content: null }))).toEqual({ role: "user", content: [], ...at })
  })

  it("makes words of the user of summaries", () => {
    expect(said({ role: "branchSummary", summary: "We tried.", fromId: "root", ...at })).toEqual(
      user([
        text(
          "The following is a summary of a branch that this conversation came back from:\n\n<summary>\nWe tried.</summary>",
        ),
      ]),
    )
    expect(said({ role: "compactionSummary", summary: "We built.", tokensBefore: 9, ...at })).toEqual(
      user([
        text(
          "The conversation history before this point was compacted into the following summary:\n\n<summary>\nWe built.\n</summary>",
        ),
      ]),
    )
  })

  it("gives the summary of a compaction that is verbatim without words around it", () => {
    const summary = { role: "compactionSummary", summary: "What we did so far: all.", tokensBefore: 9, ...at } as const
    expect(said({ ...summary, verbatim: true })).toEqual(user([text("What we did so far: all.")]))
  })

  it.each(["oracle", "toString", "__proto__"])("leaves out the role %s, and reports it with its place", (role) => {
    const { messages, diagnostics } = convertToLlm([user(), wild({ role, content: "?" }), user()])
    expect(messages).toEqual([user(), user()])
    const message = `Message 1 has the role ${role}, which no model knows; it is left out.`
    expect(diagnostics).toEqual([{ kind: "unknown-role", index: 1, message }])
  })

  it("leaves out and reports what is no message", () => {
    const { messages, diagnostics } = convertToLlm([null, user(), "text", {}] as never)
    expect(messages).toEqual([user()])
    expect(diagnostics.map(({ kind, index }) => [kind, index])).toEqual([
      ["not-a-message", 0],
      ["not-a-message", 2],
      ["not-a-message", 3],
    ])
  })

  it("reports a place that leads to the entry", () => {
    const oracle = messageEntry("b", null, wild({ role: "oracle" }))
    const path = chain(userEntry("a", null), entry("label", "x", null, {}), oracle)
    const { messages, entries } = buildSessionContext(path)
    expect(convertToLlm(messages).diagnostics.map(({ index }) => entries[index])).toEqual(["b"])
  })
})
