import type { ServerResponse } from "node:http"
import { blocksOf, type Json, textOf } from "./blocks.js"
import { answerIn, callsIn, stopIn } from "./prompt-calls.js"

/** OpenAI's Chat Completions API. @returns whether the answer has an end */
export function answerChat({ messages, model }: Json, response: ServerResponse, count: number): boolean {
  const last = (messages as Json[]).at(-1) ?? {}
  const asked = last.role === "user" ? textOf(last.content) : ""
  const calls = callsIn(asked)
  const said = last.role === "tool" ? `I have the results ${count}` : calls.length > 0 ? "I call." : `Answer ${count}`
  const send = (delta: Json, finish_reason: string | null = null, more: Json = {}): void => {
    const choices = [{ index: 0, delta, finish_reason }]
    const chunk = { id: `chat_${count}`, object: "chat.completion.chunk", created: 1, model, choices, ...more }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  for (const { text } of answerIn(asked) ?? [{ text: said }]) send({ role: "assistant", content: text })
  const called = calls.map(({ name, args, mark }, index) => ({
    ...{ index, id: `call_${count}_${mark}`, type: "function", function: { name, arguments: args } },
  }))
  if (called.length > 0) send({ tool_calls: called })
  if (stopIn(asked) === "hang") return false
  const usage = { prompt_tokens: 1010, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 1000 } }
  send({}, called.length > 0 ? "tool_calls" : "stop", { usage })
  response.write("data: [DONE]\n\n")
  return true
}

/** Messages of that API as those of Anthropic's. It does not say which results are errors. */
export function fromChat(messages: readonly Json[]): Json[] {
  return messages.flatMap(({ role, content, tool_calls, tool_call_id }) => {
    if (role === "system") return []
    const said = blocksOf(content).flatMap(fromPart)
    if (role === "tool")
      return { role: "user", content: [{ type: "tool_result", tool_use_id: tool_call_id, content: said }] }
    const calls = blocksOf(tool_calls).map(({ id, function: called }) => {
      const { name, arguments: args } = called as Json
      return { type: "tool_use", id, name, input: JSON.parse(String(args)) }
    })
    return { role, content: [...said, ...calls] }
  })
}

function fromPart(part: Json): Json[] {
  const [, media_type, data] =
    /^data:([^;]+);base64,(.*)$/.exec(String((part.image_url as Json | undefined)?.url)) ?? []
  if (data !== undefined) return [{ type: "image", source: { type: "base64", media_type, data } }]
  return part.text === "" ? [] : [part]
}
