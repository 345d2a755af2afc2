import { type ModelMessage, toModelMessages } from "@treelog/session-core/messages"
import { generateText, modelMessageSchema, type ModelMessage as SdkMessage } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import { expect, expectTypeOf, test } from "vitest"
import { samples } from "./sample.js"

test("messages are of the SDK's type", () => {
  expectTypeOf<ModelMessage>().toExtend<SdkMessage>()
})

test("messages are what the SDK's own schema reads, with nothing lost", () => {
  for (const history of samples()) {
    for (const message of toModelMessages(history, { repair: false }))
      expect(modelMessageSchema.parse(message)).toEqual(message)
  }
})

test("the SDK makes a prompt of them: it misses no result and rejects nothing", async () => {
  for (const history of samples()) {
    const messages = toModelMessages(history, { repair: false })
    if (messages.every(({ role }) => role === "system")) continue
    const model = new MockLanguageModelV3({
      doGenerate: {
        content: [{ type: "text", text: "Ok." }],
        finishReason: { unified: "stop", raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      },
    })
    const system = messages.filter((message) => message.role === "system")
    const conversation = messages.filter((message) => message.role !== "system")
    await generateText({ model, system, messages: conversation })
    const prompt = model.doGenerateCalls[0]?.prompt ?? []
    expect(prompt.filter(({ role }) => role === "assistant")).toHaveLength(
      messages.filter(({ role }) => role === "assistant").length,
    )
    expect(prompt.filter(({ role }) => role === "system")).toHaveLength(system.length)
  }
})
