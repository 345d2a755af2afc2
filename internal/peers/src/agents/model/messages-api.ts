import type { ServerResponse } from "node:http"
import { blocksOf, type Json, textOf } from "./blocks.js"
import { answerIn, callsIn, HANG, stopIn } from "./prompt-calls.js"
import { sender } from "./sender.js"

/** Anthropic's Messages API. @returns whether the answer has an end */
export function answerMessages({ messages, model }: Json, response: ServerResponse, count: number): boolean {
  const all = messages as Json[]
  const last = all.slice(all.map(({ role }) => role).lastIndexOf("assistant") + 1)
  const isResult = last.some(({ content }) => blocksOf(content).some(({ type }) => type === "tool_result"))
  const text = isResult ? "" : last.map(({ content }) => textOf(content)).join("\n")
  const calls = callsIn(text)
  const said = isResult ? `I have the results ${count}` : calls.length > 0 ? "I call." : `Answer ${count}`
  const blocks: Json[] = [
    ...(answerIn(text) ?? [
      { type: "thinking", thinking: "I think.", signature: "c2lnbmF0dXJl" },
      { type: "text", text: said },
    ]),
    ...calls.map(({ name, args, mark }) => ({ type: "tool_use", id: `toolu_${count}_${mark}`, name, args })),
  ]
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 }
  const send = sender(response)
  const message = { id: `msg_${count}`, type: "message", role: "assistant", model, content: [], usage }
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } })
  for (const [index, { text, thinking, signature, args, ...block }] of blocks.entries()) {
    const isTool = block.type === "tool_use"
    const isThinking = block.type === "thinking"
    const empty = isTool ? { input: {} } : block.type === "text" ? { text: "" } : isThinking ? NO_THOUGHT : {}
    send("content_block_start", { index, content_block: { ...block, ...empty } })
    const delta = (fields: Json) => send("content_block_delta", { index, delta: fields })
    if (text !== undefined) delta({ type: "text_delta", text })
    if (thinking !== undefined) delta({ type: "thinking_delta", thinking })
    if (signature !== undefined) delta({ type: "signature_delta", signature })
    if (isTool) delta({ type: "input_json_delta", partial_json: args })
    send("content_block_stop", { index })
  }
  const stop = stopIn(text)
  // OpenClaw puts its own state behind what is asked.
  const asked = last
    .flatMap(({ content }) => blocksOf(content))
    .filter((block) => !String(block.text).startsWith("<<<"))
  const result = asked.at(-1)
  if (stop === "hang" || (result?.type === "tool_result" && JSON.stringify(result).includes(HANG))) return false
  const stop_reason = stop ?? (calls.length > 0 ? "tool_use" : "end_turn")
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage })
  send("message_stop", {})
  return true
}

const NO_THOUGHT = { thinking: "", signature: "" }
