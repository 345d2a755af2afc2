import type { ServerResponse } from "node:http"
import { type Json, textOf } from "./blocks.js"
import { answerIn, callsIn, stopIn } from "./prompt-calls.js"
import { sender } from "./sender.js"

/** OpenAI's Responses API. @returns whether the answer has an end */
export function answerResponses({ input }: Json, response: ServerResponse, count: number): boolean {
  const last = (input as Json[]).at(-1) ?? {}
  const asked = last.type === "message" ? textOf(last.content) : ""
  const calls = callsIn(asked)
  const text = last.type === "message" ? `Answer ${count}` : "I have the results."
  const content = [{ type: "output_text", text, annotations: [] }]
  const summary = [{ type: "summary_text", text: "I think." }]
  const items: Json[] = [
    ...(answerIn(asked) ?? [{ type: "reasoning", id: `rs_${count}`, summary, encrypted_content: "ZW5jcnlwdGVk" }]),
    ...calls.map(({ name, args }, at) => {
      const [tool, namespace] = name.split("/").reverse()
      const call = { type: "function_call", id: `fc_${count}_${at}`, call_id: `call_${count}_${at}` }
      return { ...call, name: tool, arguments: args, ...(namespace !== undefined && { namespace }) }
    }),
    ...(calls.length > 0 ? [] : [{ type: "message", id: `msg_${count}`, role: "assistant", content }]),
  ]
  const send = sender(response)
  send("response.created", { response: { id: `resp_${count}` } })
  for (const [output_index, item] of items.entries()) {
    send("response.output_item.added", { output_index, item })
    send("response.output_item.done", { output_index, item })
  }
  if (stopIn(asked) === "hang") return false
  const details = { input_tokens_details: { cached_tokens: 1000 }, output_tokens_details: { reasoning_tokens: 2 } }
  const usage = { input_tokens: 1100, output_tokens: 7, total_tokens: 1107, ...details }
  send("response.completed", { response: { id: `resp_${count}`, usage } })
  return true
}
