import {
  type OpenAIInputItem,
  type OpenAIMessage,
  toOpenAIInput,
  toOpenAIMessages,
} from "@treelog/session-core/messages"
import OpenAI from "openai"
import { expect, expectTypeOf, test } from "vitest"
import { samples } from "./sample.js"

test("chat messages are of the SDK's type", () => {
  expectTypeOf<OpenAIMessage>().toExtend<OpenAI.ChatCompletionMessageParam>()
  expectTypeOf(toOpenAIMessages).returns.toExtend<OpenAI.ChatCompletionCreateParams["messages"]>()
})

test("input items are of the SDK's type", () => {
  expectTypeOf<OpenAIInputItem>().toExtend<OpenAI.Responses.ResponseInputItem>()
  expectTypeOf<Extract<OpenAIInputItem, { type: "reasoning" }>>().toExtend<OpenAI.Responses.ResponseReasoningItem>()
})

test("the SDK sends them as they are", async () => {
  const bodies: Record<string, unknown>[] = []
  const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json({ object: "response", output: [], choices: [] })
  }
  const client = new OpenAI({ apiKey: "none", baseURL: "http://localhost", fetch, maxRetries: 0 })
  for (const history of samples()) {
    const [messages, input] = [toOpenAIMessages(history, { repair: false }), toOpenAIInput(history, { repair: false })]
    await client.chat.completions.create({ model: "gpt-test", messages })
    expect(bodies.pop()?.messages).toEqual(messages)
    await client.responses.create({ model: "gpt-test", input, store: false })
    expect(bodies.pop()?.input).toEqual(input)
  }
})
