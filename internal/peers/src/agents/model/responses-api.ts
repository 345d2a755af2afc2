import type { ServerResponse } from "node:http"
import { blocksOf, type Json, textOf } from "./blocks.js"
import { answerIn, callsIn, stopIn } from "./prompt-calls.js"
import { sender } from "./sender.js"

/** OpenAI's Responses API. @returns whether the answer has an end */
export function answerResponses({ input, model }: Json, response: ServerResponse, count: number): boolean {
  const last = (input as Json[]).at(-1) ?? {}
  // The SDK of Vercel writes no types of messages.
  const isPrompt = last.type === "message" || last.role === "user"
  const asked = isPrompt ? textOf(last.content) : ""
  const calls = callsIn(asked)
  const text = isPrompt ? `Answer ${count}` : "I have the results."
  const content = [{ type: "output_text", text, annotations: [] }]
  const summary = [{ type: "summary_text", text: "I think." }]
  const items: Json[] = [
    ...(answerIn(asked) ?? [{ type: "reasoning", id: `rs_${count}`, summary, encrypted_content: "ZW5jcnlwdGVk" }]),
    ...calls.map(({ name, args, mark }) => {
      const [tool, namespace] = name.split("/").reverse()
      const call = {
        type: "function_call",
        status: "completed",
        id: `fc_${count}_${mark}`,
        call_id: `call_${count}_${mark}`,
      }
      return { ...call, name: tool, arguments: args, ...(namespace !== undefined && { namespace }) }
    }),
    ...(calls.length > 0 ? [] : [{ type: "message", id: `msg_${count}`, role: "assistant", content }]),
  ]
  const send = sender(response)
  send("response.created", { response: { id: `resp_${count}`, created_at: 1, model } })
  for (const [output_index, item] of items.entries()) {
    send("response.output_item.added", { output_index, item })
    const place = { item_id: item.id, output_index }
    for (const [content_index, { text }] of blocksOf(item.content).entries())
      send("response.output_text.delta", { ...place, content_index, delta: text })
    for (const [summary_index, { text }] of blocksOf(item.summary).entries()) {
      send("response.reasoning_summary_part.added", { ...place, summary_index })
      send("response.reasoning_summary_text.delta", { ...place, summary_index, delta: text })
    }
    send("response.output_item.done", { output_index, item })
  }
  if (stopIn(asked) === "hang") return false
  const details = { input_tokens_details: { cached_tokens: 1000 }, output_tokens_details: { reasoning_tokens: 2 } }
  const usage = { input_tokens: 1100, output_tokens: 5, total_tokens: 1105, ...details }
  send("response.completed", { response: { id: `resp_${count}`, model, output: items, usage } })
  return true
}
