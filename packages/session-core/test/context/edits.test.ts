import type { SessionEntry } from "@treelog/session-core"
import { buildSessionContext } from "@treelog/session-core"
import {
  assistantEntry,
  chain,
  deepFreeze,
  entry,
  messageEntry,
  toolResultMessage,
  userEntry,
} from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const context = (...entries: SessionEntry[]) => buildSessionContext(deepFreeze(chain(...entries)))
const edit = (id: string, targetId: string, replacement: unknown) =>
  entry("context_edit", id, null, { targetId, replacement })

const user = userEntry("u", null, "said")
const assistant = assistantEntry("a", null, "answered")
const result = messageEntry("t", null, toolResultMessage("found"))

describe("context edits", () => {
  it("omit a message with null", () => {
    expect(context(user, assistant, edit("e", "u", null)).entries).toEqual(["a"])
  })

  it("replace the content, and keep the other fields", () => {
    const blocks = [{ type: "text", text: "other" }]
    const { messages } = context(user, edit("e", "u", { content: blocks }))
    expect(messages[0]).toEqual({ ...(user as { message: object }).message, content: blocks })
  })

  it("replace with a string as it is for a user, as one text block for assistant and toolResult", () => {
    const { messages } = context(
      user,
      assistant,
      result,
      ...["u", "a", "t"].map((id) => edit(`e${id}`, id, { content: "new" })),
    )
    const block = [{ type: "text", text: "new" }]
    expect(messages).toMatchObject([{ content: "new" }, { content: block }, { content: block }])
    expect(messages[1]).toMatchObject({ provider: "anthropic", role: "assistant" })
  })

  it("give the results of calls the names of their tools, also where these are edited", () => {
    const call = (id: string, name: unknown) => ({ type: "toolCall", id, name, arguments: {} })
    const [first, second] = ["call-1", "call-2"].map((toolCallId, at) =>
      messageEntry(`r${at}`, null, toolResultMessage("found", { toolCallId, toolName: "Task" })),
    ) as [SessionEntry, SessionEntry]
    const renamed = edit("e", "a", { content: [call("call-1", "Agent"), call("call-2", 7)] })
    const { messages } = context(assistant, renamed, first, second, edit("f", "r0", { content: "new" }))
    expect(messages.slice(1)).toMatchObject([{ toolName: "Agent", content: [{ text: "new" }] }, { toolName: "Task" }])
  })

  it("replace with nothing as with empty content", () => {
    for (const replacement of [{ content: null }, {}])
      expect(context(assistant, edit("e", "a", replacement)).messages).toMatchObject([{ content: [] }])
  })

  it("win by being the last of their target", () => {
    expect(context(user, edit("1", "u", null), edit("2", "u", { content: "back" })).messages).toMatchObject([
      { content: "back" },
    ])
    expect(context(user, edit("1", "u", { content: "x" }), edit("2", "u", null)).messages).toEqual([])
  })

  it("apply to custom messages too", () => {
    const custom = entry("custom_message", "m", null, { customType: "n", content: "a", display: true })
    expect(context(custom, edit("e", "m", { content: "b" })).messages).toMatchObject([{ role: "custom", content: "b" }])
    expect(context(custom, edit("e", "m", null)).messages).toEqual([])
  })

  it("apply only on the path that they stand on", () => {
    const entries = [
      user,
      { ...edit("e", "u", null), parentId: "u" },
      { ...assistant, parentId: "u" },
    ] as SessionEntry[]
    expect(buildSessionContext(entries, "a").entries).toEqual(["u", "a"])
    expect(buildSessionContext(entries, "e").entries).toEqual([])
  })

  it("apply to what a compaction keeps, also where they stand before it", () => {
    const compaction = entry("compaction", "c", null, { summary: "s", firstKeptEntryId: "u", tokensBefore: 1 })
    expect(context(user, assistant, edit("e", "u", null), compaction).entries).toEqual(["c", "a"])
  })

  it("without a replacement are reported, and leave the earlier one in force", () => {
    const { messages, diagnostics } = context(user, edit("1", "u", { content: "x" }), edit("2", "u", "text"))
    expect(messages).toMatchObject([{ content: "x" }])
    expect(diagnostics).toMatchObject([{ kind: "invalid-field", entryId: "2" }])
  })

  it("of unknown targets do nothing", () => {
    expect(context(user, edit("e", "gone", null), edit("f", "__proto__", null)).entries).toEqual(["u"])
  })

  it("leave the stored entry as it was", () => {
    const before = JSON.stringify(user)
    context(user, edit("e", "u", { content: "x" }))
    expect(JSON.stringify(user)).toBe(before)
  })
})
