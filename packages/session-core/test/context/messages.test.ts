import type { SessionEntry } from "@treelog/session-core"
import { buildSessionContext } from "@treelog/session-core"
import { assistantEntry, chain, entry, messageEntry, TEST_START, userEntry } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const context = (...entries: SessionEntry[]) => buildSessionContext(chain(...entries))
const raw = (id: string, message: unknown) => entry("message", id, null, { message })

describe("messages of a context", () => {
  it("are the very messages of their entries, each with its entry's id", () => {
    const [a, b] = [userEntry("a", null), assistantEntry("b", null)]
    const { messages, entries } = context(a, b)
    expect(messages[0]).toBe((a as { message: unknown }).message)
    expect(messages[1]).toBe((b as { message: unknown }).message)
    expect(entries).toEqual(["a", "b"])
  })

  it.each(["user", "assistant", "toolResult", "custom", "hookMessage", "developer", "oracle"])(
    "of role %s get empty content for null",
    (role) => {
      expect(context(raw("a", { role, content: null, extra: 1 })).messages).toEqual([{ role, content: [], extra: 1 }])
    },
  )

  it.each(["user", "assistant", "toolResult", "custom", "developer"])(
    "of role %s get empty content for none",
    (role) => {
      expect(context(raw("a", { role })).messages).toEqual([{ role, content: [] }])
    },
  )

  it("of role system get an empty string", () => {
    const { messages } = context(raw("a", { role: "system", content: null }), raw("b", { role: "system" }))
    expect(messages).toEqual([
      { role: "system", content: "" },
      { role: "system", content: "" },
    ])
  })

  it.each(["bashExecution", "fileMention", "pythonExecution", "oracle"])("of role %s pass as they are", (role) => {
    const message = { role, command: "ls", files: [1], other: { deep: true } }
    const { messages } = context(raw("a", message))
    expect(messages[0]).toBe(message)
  })

  it("that are none give nothing, and are reported", () => {
    for (const message of [null, undefined, "text", 7, []]) {
      const { messages, diagnostics } = context(raw("a", message), userEntry("b", null))
      expect(messages).toHaveLength(1)
      expect(diagnostics).toMatchObject([{ kind: "invalid-field", entryId: "a" }])
    }
  })

  it("come from custom messages with the role custom and a time in milliseconds", () => {
    const fields = { customType: "note", content: "hi", display: true, details: { a: 1 }, attribution: "me" }
    expect(context(entry("custom_message", "a", null, fields)).messages).toEqual([
      { role: "custom", ...fields, timestamp: TEST_START },
    ])
  })

  it("of custom messages have no fields that were not given, and empty content for none", () => {
    const bare = entry("custom_message", "a", null, { customType: "note", content: null, display: false })
    const [message] = context(bare).messages
    expect(message).toStrictEqual({
      role: "custom",
      customType: "note",
      content: [],
      display: false,
      timestamp: TEST_START,
    })
  })

  it("come from branch summaries, unless they are empty", () => {
    const summary = (text: unknown) => entry("branch_summary", "a", null, { fromId: "x", summary: text })
    expect(context(summary("was here")).messages).toEqual([
      { role: "branchSummary", summary: "was here", fromId: "x", timestamp: TEST_START },
    ])
    for (const empty of ["", null, undefined]) expect(context(summary(empty)).messages).toEqual([])
  })

  it("have the time 0 where an entry has none that can be read", () => {
    const summary = { ...entry("branch_summary", "a", null, { fromId: "x", summary: "s" }), timestamp: "never" }
    expect(context(summary).messages).toMatchObject([{ timestamp: 0 }])
  })

  it.each([
    "model_change",
    "thinking_level_change",
    "mode_change",
    "ttsr_injection",
    "label",
    "session_info",
    "title_change",
    "custom",
    "session_init",
    "usage",
    "model_usage",
    "leaf",
    "service_tier_change",
    "credential_pin",
    "context_change",
    "mcp_tool_selection",
    "context_edit",
    "reset_boundary",
    "hologram",
    "__proto__",
  ])("do not come from entries of type %s", (type) => {
    const fields = {
      message: { role: "user", content: "no" },
      content: "no",
      summary: "no",
      targetId: "a",
      replacement: null,
    }
    expect(context(entry(type, "x", null, fields)).messages).toEqual([])
  })

  it("are read from any fields without a throw, and what has no role is reported instead", () => {
    const odd = [{}, { role: null }, { role: 5, content: null }, { role: "assistant", content: [null, 5, "x"] }]
    const { messages, diagnostics } = context(
      ...odd.map((message, index) => raw(`${index}`, message)),
      messageEntry("last", null, { role: "x" }),
    )
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "x"])
    expect(diagnostics.map(({ kind, entryId }) => [kind, entryId])).toEqual(
      ["0", "1", "2"].map((id) => ["invalid-field", id]),
    )
  })
})
