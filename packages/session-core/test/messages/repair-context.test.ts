import type { AssistantMessage, ToolCall, ToolResultMessage } from "@treelog/session-core"
import { convertThinking, repairContext } from "@treelog/session-core/messages"
import { deepFreeze, TEST_START } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { answer, call, image, result, text, thinking, turn, user, wild } from "./histories.js"
import { providerFaults } from "./provider-rules/provider-faults.js"

const BLOB = `blob:sha256:${"0".repeat(64)}`
const at = { timestamp: TEST_START }

describe("a clean history", () => {
  const messages = deepFreeze([
    wild({ role: "system", content: "Be brief." }),
    user([text("See"), image(), image("UklGRiQAAABXRUJQVlA4", "image/webp")]),
    answer(thinking("", "c2ln"), thinking("Hm"), text("I look."), call("a"), call("b", "bash", {})),
    result("b", "x", "bash"),
    wild({ role: "oracle", payload: 1 }),
    { ...result("a"), content: [text("y"), image()], isError: true, details: { deep: [{}] } },
    user("Wait."),
    user([text("And?")]),
    {
      role: "bashExecution",
      command: "",
      output: "",
      cancelled: false,
      truncated: false,
      excludeFromContext: true,
      ...at,
    },
    { role: "custom", customType: "memory", content: "zod", display: false, ...at },
    { role: "branchSummary", summary: "We tried.", fromId: "root", ...at },
    { role: "compactionSummary", summary: "", tokensBefore: 1, ...at },
    answer({ type: "redactedThinking", data: "c2ln" }, text("Done.\n")),
    wild({ role: "developer", content: [text("Be exact.")] }),
    ...turn("call_1|fc_1"),
  ])

  it("comes back as the same list, with nothing changed", () => {
    const repaired = repairContext(messages)
    expect(repaired.changes).toEqual([])
    expect(repaired.messages).toBe(messages)
    expect(providerFaults(messages)).toEqual({})
  })

  it("may be empty", () => {
    expect(repairContext([])).toEqual({ messages: [], changes: [] })
  })
})

describe("what a repair adds", () => {
  it("is a failed result that says that the call was interrupted, at the time of the call", () => {
    const { messages, changes } = repairContext([user(), answer(call("c1", "bash"))])
    expect(messages[2]).toEqual({
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [text("[The tool call was interrupted: it has no result.]")],
      isError: true,
      timestamp: TEST_START,
    })
    expect(changes).toEqual([
      {
        kind: "result-added",
        index: 1,
        message: "Call c1 had no result; it got one that says that it was interrupted.",
      },
    ])
  })

  it("stands after the results that are there", () => {
    const { messages } = repairContext([user(), answer(call("a"), call("b"), call("c")), result("c"), result("b")])
    expect(messages.slice(2).map((message) => (message as ToolResultMessage).toolCallId)).toEqual(["c", "b", "a"])
  })

  it("is a turn of the user that says what is missing", () => {
    const { messages } = repairContext([answer(text("Hi.")), answer(text("Well?"))])
    expect(messages).toEqual([
      user([text("[The conversation before this point is not available.]")]),
      answer(text("Hi.")),
      user([text("[The answer above ended here.]")]),
      answer(text("Well?")),
    ])
  })

  it("has the time 0 where no message has one", () => {
    const { messages } = repairContext([wild({ role: "assistant", content: [call("c1")] })])
    expect(messages.map(({ timestamp }) => timestamp)).toEqual([0, undefined, 0])
  })
})

describe("what a repair moves and renames", () => {
  it("puts a result right after its call, and what stood between behind it", () => {
    const [first, caller, between, late] = [user("1"), answer(call("c1")), user("2"), result("c1")]
    expect(repairContext([first, caller, between, late]).messages).toEqual([first, caller, late, between])
  })

  it("gives a result to the nearest call of its id, and the others their own", () => {
    const { messages } = repairContext([
      ...turn("c1"),
      user(),
      answer(call("c1"), call("c1_2"), call("c1")),
      result("c1", "first"),
      result("c1_2", "second"),
      result("c1", "third"),
    ])
    expect(messages.slice(5)).toEqual([
      answer(call("c1_3"), call("c1_2"), call("c1_4")),
      result("c1_3", "first"),
      result("c1_2", "second"),
      result("c1_4", "third"),
    ])
  })

  it("renames the part of an id of OpenAI that providers see", () => {
    const { messages } = repairContext([...turn("call_1|fc_1"), ...turn("call_1|fc_1")])
    expect(messages[5]).toEqual(answer(text("I look."), call("call_1_2|fc_1")))
    expect(messages[6]).toEqual(result("call_1_2|fc_1"))
  })

  it("gives a result the name of the tool that was called", () => {
    const { messages } = repairContext([user(), answer(call("c1", "bash")), result("c1", "x", "read")])
    expect(messages[2]).toEqual(result("c1", "x", "bash"))
  })
})

describe("an image", () => {
  it.each([
    [image(BLOB), `${BLOB} was not restored`],
    [image("no base64"), "its data is not base64"],
    [image("AAA"), "its data is not base64"],
    [wild({ type: "image", mimeType: "image/png" }), "it has no data"],
    [image("PHN2Zy8+", "image/svg+xml"), "models do not read its format"],
  ])("that cannot be read becomes a note that says why (%#)", (block, reason) => {
    const { messages } = repairContext([user([text("See"), block as never])])
    expect(messages).toEqual([user([text("See"), text(`[Image left out: ${reason}.]`)])])
  })

  it("becomes a note for a model that reads none", () => {
    const { messages, changes } = repairContext([user([image()])], { images: false })
    expect(messages).toEqual([user([text("[Image left out: the model reads no images.]")])])
    expect(changes.map(({ kind }) => kind)).toEqual(["image-noted"])
  })
})

describe("text", () => {
  it("gets U+FFFD for a lone surrogate, and keeps pairs", () => {
    const args = { "k\ud83d": ["\ude00 🙂", { deep: "a\ud83d" }], path: "🙂" }
    const { messages } = repairContext([user("\ud83d 🙂"), answer(call("c1", "read", args)), result("c1", "\ude00")])
    expect(messages).toEqual([
      user("\ufffd 🙂"),
      answer(call("c1", "read", { "k\ufffd": ["\ufffd 🙂", { deep: "a\ufffd" }], path: "🙂" })),
      result("c1", "\ufffd"),
    ])
  })

  it("that was signed loses a signature that no longer fits", () => {
    const { messages } = repairContext([user(), answer(thinking("a\ud83d", "c2ln"), text("Ok."))])
    expect(messages[1]).toEqual(answer(thinking("a\ufffd"), text("Ok.")))
  })

  it("in arguments keeps keys that are dangerous to copy as data", () => {
    const args = JSON.parse('{"__proto__":{"x":"\\ud83d"},"constructor":1}')
    const { messages } = repairContext([user(), answer(call("c1", "read", args)), result("c1")])
    const [block] = (messages[1] as AssistantMessage).content as [ToolCall]
    expect(JSON.stringify(block.arguments)).toBe('{"__proto__":{"x":"\ufffd"},"constructor":1}')
    expect(Object.getPrototypeOf(block.arguments)).toBe(Object.prototype)
  })
})

describe("arguments", () => {
  it("of any depth do not end the program", () => {
    const deep = JSON.parse(`${'{"a":['.repeat(100_000)}1${"]}".repeat(100_000)}`)
    const { messages } = repairContext([user(), answer(call("c1", "read", deep)), result("c1")])
    expect(messages[1]).toEqual(answer(call("c1", "read", {})))
  })
})

describe("with convertThinking before it", () => {
  it("a repair removes the turns that have become empty", () => {
    const history = [user(), answer(thinking("", "c2ln")), user("Well?")]
    const converted = convertThinking(history, { provider: "openai" })
    expect(repairContext(converted).messages).toEqual([user(), user("Well?")])
  })
})
