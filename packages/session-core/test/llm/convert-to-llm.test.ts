import { buildSessionContext, convertToLlm, type Message } from "@treelog/session-core"
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

  it.each(["pythonExecution", "fileMention", "hookMessage", "oracle", "toString", "__proto__"])(
    "leaves out the role %s, and reports it with its place",
    (role) => {
      const { messages, diagnostics } = convertToLlm([user(), wild({ role, content: "?" }), user()])
      expect(messages).toEqual([user(), user()])
      const message = `Message 1 has the role ${role}, which no model knows; it is left out.`
      expect(diagnostics).toEqual([{ kind: "unknown-role", index: 1, message }])
    },
  )

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
