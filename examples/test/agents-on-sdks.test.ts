import { readFileSync } from "node:fs"
import Anthropic from "@anthropic-ai/sdk"
import { isEntry, MemorySessionStorage, type Session, SessionManager } from "@treelog/session-core"
import { sessionStats } from "@treelog/session-core/search"
import { jsonSchema, simulateReadableStream, tool, type UIMessage } from "ai"
import { MockLanguageModelV3 } from "ai/test"
import OpenAI from "openai"
import { expect, test } from "vitest"
import { answer as answerWithAnthropic } from "../agent-with-anthropic.js"
import { answer as answerWithOpenAI } from "../agent-with-openai.js"
import { chat, chatMessages } from "../chat-with-the-ai-sdk.js"

const NAMES = ["agent-with-anthropic", "agent-with-openai", "chat-with-the-ai-sdk"]

test.each(NAMES)("%s is shorter than 80 lines", (name) => {
  const text = readFileSync(new URL(`../${name}.ts`, import.meta.url), "utf8")
  expect(text.trimEnd().split("\n").length).toBeLessThan(80)
})

/** A `fetch` that gives these answers in turn, and notes what was asked. */
function provider(...answers: object[]) {
  const asked: Record<string, unknown>[] = []
  const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    asked.push(JSON.parse(String(init?.body)))
    return Response.json(answers[asked.length - 1])
  }
  return { asked, fetch }
}

/** The entry of the first reply that ends a turn. */
function firstAnswer(session: Session): string {
  const found = session
    .getEntries()
    .find((entry) => isEntry(entry, "message") && "stopReason" in entry.message && entry.message.stopReason === "stop")
  return found?.id ?? ""
}

test("an agent on Anthropic's SDK goes on after a restart or at a leaf, with its thinking and results", async () => {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const reply = { type: "message", role: "assistant", model: "claude-test", usage }
  const thinking = { type: "thinking", thinking: "I look.", signature: "c2ln" }
  const { asked, fetch } = provider(
    {
      ...reply,
      stop_reason: "tool_use",
      content: [thinking, { type: "tool_use", id: "t1", name: "look", input: { at: 1 } }],
    },
    { ...reply, stop_reason: "end_turn", content: [{ type: "text", text: "A tree." }] },
    { ...reply, stop_reason: "end_turn", content: [{ type: "text", text: "Still a tree." }] },
    { ...reply, stop_reason: "end_turn", content: [{ type: "text", text: "Not any more." }] },
  )
  const client = new Anthropic({ apiKey: "none", baseURL: "http://localhost", fetch, maxRetries: 0 })
  const storage = new MemorySessionStorage()
  const look = { name: "look", input_schema: { type: "object" as const }, run: async () => "leaves" }
  const ask = (prompt: string, at: { leaf?: string } = {}) =>
    answerWithAnthropic(client, new SessionManager({ storage }), { id: "chat-1", prompt, tools: [look], ...at })
  expect((await ask("What is it?")).content).toEqual([{ type: "text", text: "A tree." }])
  expect((await ask("And now?")).stopReason).toBe("stop")
  expect(asked[2]?.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "What is it?" }] },
    { role: "assistant", content: [thinking, { type: "tool_use", id: "t1", name: "look", input: { at: 1 } }] },
    { role: "user", content: [expect.objectContaining({ type: "tool_result", tool_use_id: "t1" })] },
    { role: "assistant", content: [{ type: "text", text: "A tree." }] },
    { role: "user", content: [{ type: "text", text: "And now?" }] },
  ])
  const session = await new SessionManager({ storage }).open({ id: "chat-1" }, { access: "read" })
  expect(sessionStats(session.getEntries()).total).toMatchObject({ input: 30, output: 15 })
  await ask("And then?", { leaf: firstAnswer(session) })
  const before = asked[2]?.messages as object[]
  expect(asked[3]?.messages).toEqual([...before.slice(0, -1), expect.anything()])
  expect(JSON.stringify(asked[3])).toContain("And then?")
})

test("an agent on OpenAI's SDK goes on after a restart or at a leaf, with its reasoning items", async () => {
  const usage = { input_tokens: 10, output_tokens: 5, input_tokens_details: { cached_tokens: 4 } }
  const reply = { object: "response", model: "gpt-test", usage }
  const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "eHk" }
  const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] })
  const { asked, fetch } = provider(
    { ...reply, output: [reasoning, { type: "function_call", call_id: "c1", name: "look", arguments: '{"at":1}' }] },
    { ...reply, output: [said("A tree.")] },
    { ...reply, output: [said("Still a tree.")] },
    { ...reply, output: [said("Not any more.")] },
  )
  const client = new OpenAI({ apiKey: "none", baseURL: "http://localhost", fetch, maxRetries: 0 })
  const storage = new MemorySessionStorage()
  const look = { type: "function" as const, name: "look", parameters: {}, strict: false, run: async () => "leaves" }
  const ask = (prompt: string, at: { leaf?: string } = {}) =>
    answerWithOpenAI(client, new SessionManager({ storage }), { id: "chat-1", prompt, tools: [look], ...at })
  expect((await ask("What is it?")).content).toEqual([{ type: "text", text: "A tree." }])
  await ask("And now?")
  expect(asked[2]?.input).toEqual([
    { role: "user", content: [{ type: "input_text", text: "What is it?" }] },
    reasoning,
    { type: "function_call", call_id: "c1", name: "look", arguments: '{"at":1}' },
    { type: "function_call_output", call_id: "c1", output: "leaves" },
    { role: "assistant", content: "A tree." },
    { role: "user", content: [{ type: "input_text", text: "And now?" }] },
  ])
  const session = await new SessionManager({ storage }).open({ id: "chat-1" }, { access: "read" })
  await ask("And then?", { leaf: firstAnswer(session) })
  const before = asked[2]?.input as object[]
  expect(asked[3]?.input).toEqual([...before.slice(0, -1), expect.anything()])
  expect(JSON.stringify(asked[3])).toContain("And then?")
})

/** A model that says one text after the other, and first calls a tool. */
function fakeModel(texts: readonly string[]) {
  let calls = 0
  const finish = (unified: "stop" | "tool-calls") => ({
    type: "finish" as const,
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
  })
  return new MockLanguageModelV3({
    doStream: async () => {
      const delta = texts[calls++ - 1] ?? ""
      const call = { type: "tool-call" as const, toolCallId: "t1", toolName: "look", input: '{"at":1}' }
      const said = [
        { type: "text-start" as const, id: "1" },
        { type: "text-delta" as const, id: "1", delta },
        { type: "text-end" as const, id: "1" },
        finish("stop"),
      ]
      const called = [call, finish("tool-calls")]
      return {
        stream: simulateReadableStream<(typeof said | typeof called)[number]>({ chunks: calls === 1 ? called : said }),
      }
    },
  })
}

test("a chat of the AI SDK is resumed by its id or at a leaf, and an edited prompt becomes a branch", async () => {
  const sessions = new SessionManager({ storage: new MemorySessionStorage() })
  const model = fakeModel(["A tree.", "A house.", "A boat.", "A leaf."])
  const tools = {
    look: tool({
      inputSchema: jsonSchema<{ at: number }>({ type: "object" }),
      execute: async () => ({ seen: "leaves" }),
    }),
  }
  const prompt = (id: string, text: string): UIMessage => ({ id, role: "user", parts: [{ type: "text", text }] })
  const send = async (body: object): Promise<void> => {
    const request = new Request("http://localhost/chat", {
      method: "POST",
      body: JSON.stringify({ id: "chat-1", ...body }),
    })
    await (await chat(sessions, model, tools, request)).text()
  }
  const texts = (messages: UIMessage[]) =>
    messages.map(({ parts }) => parts.map((part) => ("text" in part ? part.text : part.type)).join(" "))

  await send({ message: prompt("p1", "What is it?") })
  const first = await chatMessages(sessions, "chat-1")
  expect(texts(first)).toEqual(["What is it?", "step-start tool-look step-start A tree."])
  expect(first[1]?.parts[1]).toMatchObject({ state: "output-available", output: { seen: "leaves" } })

  await send({ message: prompt("p1", "What is that?"), replaces: "p1" })
  expect(texts(await chatMessages(sessions, "chat-1"))).toEqual(["What is that?", "step-start A house."])
  const answered = (await chatMessages(sessions, "chat-1"))[1]?.id
  await send({ replaces: answered })
  expect(texts(await chatMessages(sessions, "chat-1"))).toEqual(["What is that?", "step-start A boat."])

  const session = await sessions.open({ id: "chat-1" }, { access: "read" })
  const leaves = session.getEntries().filter((entry) => isEntry(entry, "message") && entry.message.role === "assistant")
  expect(texts(await chatMessages(sessions, "chat-1", leaves[1]?.id))).toEqual(texts(first))
  expect(sessionStats(session.getEntries()).total).toMatchObject({ input: 40, output: 20 })
  await send({ leaf: leaves[1]?.id, message: prompt("p2", "And there?") })
  expect(texts(await chatMessages(sessions, "chat-1"))).toEqual([...texts(first), "And there?", "step-start A leaf."])
})
