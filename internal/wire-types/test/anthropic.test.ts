import Anthropic from "@anthropic-ai/sdk"
import { type AnthropicMessage, toAnthropicMessages } from "@treelog/session-core/messages"
import { expect, expectTypeOf, test } from "vitest"
import { samples } from "./sample.js"

test("messages are of the SDK's type, and a request is made of them by spreading", () => {
  expectTypeOf<AnthropicMessage>().toExtend<Anthropic.MessageParam>()
  expectTypeOf(toAnthropicMessages).returns.toExtend<Pick<Anthropic.MessageCreateParams, "messages" | "system">>()
})

test("the SDK sends them as they are", async () => {
  const bodies: unknown[] = []
  const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    bodies.push(JSON.parse(String(init?.body)))
    return Response.json({ type: "message", role: "assistant", content: [] })
  }
  const client = new Anthropic({ apiKey: "none", baseURL: "http://localhost", fetch, maxRetries: 0 })
  for (const messages of samples()) {
    const request = toAnthropicMessages(messages, { repair: false })
    await client.messages.create({ ...request, model: "claude-test", max_tokens: 1 })
    expect(bodies.pop()).toEqual({ ...request, model: "claude-test", max_tokens: 1 })
  }
})
