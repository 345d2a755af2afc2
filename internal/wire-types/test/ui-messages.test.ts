import type { SessionEntry } from "@treelog/session-core"
import { fromUIMessages, toUIMessages, type UIMessage } from "@treelog/session-core/messages"
import { convertToModelMessages, type UIMessage as SdkMessage, safeValidateUIMessages } from "ai"
import { expect, expectTypeOf, test } from "vitest"
import { samples } from "./sample.js"

type UIMessageLike = Parameters<typeof fromUIMessages>[0][number]

const OPTIONS = { provider: "anthropic", model: "claude-test", timestamp: 1 }

function entriesOf(messages: readonly object[]): SessionEntry[] {
  return messages.map((message, index) => {
    return { type: "message", id: `e${index}`, parentId: null, timestamp: "", message } as SessionEntry
  })
}

test("the SDK's messages are converted as they are, and come back as the type that is asked for", () => {
  expectTypeOf<SdkMessage>().toExtend<UIMessageLike>()
  expectTypeOf(toUIMessages<SdkMessage>).returns.toEqualTypeOf<SdkMessage[]>()
  expectTypeOf<UIMessage>().toExtend<UIMessageLike>()
})

test("messages are what the SDK's own check accepts, and it converts them for a model", async () => {
  for (const history of samples()) {
    const messages = toUIMessages<SdkMessage>(entriesOf(history))
    // The SDK accepts no empty list.
    if (messages.length === 0) continue
    const checked = await safeValidateUIMessages({ messages })
    expect(checked).toMatchObject({ success: true })
    const converted = await convertToModelMessages(messages)
    expect(converted.filter(({ role }) => role === "user")).toHaveLength(
      messages.filter(({ role }) => role === "user").length,
    )
    const again = entriesOf(fromUIMessages(messages, OPTIONS))
    expect(toUIMessages<SdkMessage>(again)).toEqual(messages)
  }
})
