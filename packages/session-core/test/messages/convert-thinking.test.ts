import { convertThinking } from "@treelog/session-core/messages"
import { deepFreeze } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"
import { answer, call, text, thinking, user, wild } from "./histories.js"

const own = { provider: "anthropic", model: "claude-test" }
const other = { provider: "openai", model: "gpt-test" }
const signed = answer(
  thinking("First the form.", "c2ln"),
  { ...text("I look."), textSignature: "msg_1" },
  { ...call("c1"), thoughtSignature: "c2ln" },
)

describe("convertThinking", () => {
  it("leaves what the target thought itself, in the same list", () => {
    const messages = deepFreeze([user(), signed])
    expect(convertThinking(messages, own)).toBe(messages)
    expect(convertThinking(messages, { provider: "anthropic" })).toBe(messages)
  })

  it.each([other, { ...own, model: "claude-next" }, { ...other, model: "claude-test" }, { provider: "openai" }])(
    "makes text of thinking for $provider $model, and drops all signatures",
    (target) => {
      const first = user()
      const [same, converted] = convertThinking(deepFreeze([first, signed]), target)
      expect(same).toBe(first)
      expect(converted).toEqual({
        ...signed,
        content: [text("<thinking>\nFirst the form.\n</thinking>"), text("I look."), call("c1")],
      })
    },
  )

  it.each([
    ["kept", [thinking("Hm", "c2ln"), text("Ok.")]],
    ["omitted", [text("Ok.")]],
    ["text", [text("Hm"), text("Ok.")]],
    ["of no kind", [text("<thinking>\nHm\n</thinking>"), text("Ok.")]],
  ])("gives another model of the provider what the agent gives it: thinking is %s", (foreignThinking, content) => {
    const reply = { ...answer(thinking("Hm", "c2ln"), text("Ok.")), foreignThinking } as ReturnType<typeof answer>
    expect(convertThinking([reply], { ...own, model: "claude-next" })).toEqual([{ ...reply, content }])
    expect(convertThinking([reply], own)).toEqual([reply])
  })

  it("makes a text of each summary of an item of reasoning", () => {
    const item = { type: "reasoning", summary: [{ text: "One" }, { text: "Two" }], encrypted_content: "c2Vh" }
    const reply = { ...answer(thinking("One\nTwo", JSON.stringify(item))), foreignThinking: "text" as const }
    expect(convertThinking([reply], other)).toMatchObject([{ content: [text("One"), text("Two")] }])
  })

  it("keeps the text of thinking for another provider, also where the agent sends none to its other models", () => {
    const reply = { ...answer(thinking("Hm", "c2ln")), foreignThinking: "omitted" as const }
    expect(convertThinking([reply], other)).toMatchObject([{ content: [text("<thinking>\nHm\n</thinking>")] }])
  })

  it("drops thinking that only its model can read", () => {
    const message = answer(
      { ...thinking("[redacted]", "c2ln"), redacted: true },
      { type: "redactedThinking", data: "c2ln" },
      thinking("", "c2ln"),
      text("Ok."),
    )
    expect(convertThinking([message], other)).toEqual([answer(text("Ok."))])
  })

  it("keeps answers without thinking or signatures as the same objects", () => {
    const messages = deepFreeze([user(), answer(text("Ok."), call("c1")), answer(thinking("Hm"), text("Ok."))])
    const [first, second, third] = convertThinking(messages, other)
    expect([first, second]).toEqual(messages.slice(0, 2))
    expect(second).toBe(messages[1])
    expect(third).not.toBe(messages[2])
  })

  it("takes answers of no known model for those of another", () => {
    const message = wild({ role: "assistant", content: [thinking("Hm", "c2ln")] })
    expect(convertThinking([message], own)).toEqual([
      { role: "assistant", content: [text("<thinking>\nHm\n</thinking>")] },
    ])
  })

  it("lets content pass that holds no blocks", () => {
    const messages = [null, wild({ role: "assistant", content: null }), wild({ role: "assistant", content: [null, 7] })]
    expect(convertThinking(messages as never, other)).toBe(messages)
  })
})
