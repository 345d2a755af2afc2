import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

// A model that does what the last prompt says: for each line `CALL <tool> <arguments as JSON>` it calls the tool, otherwise it repeats the
// prompt's end. It speaks the two protocols of the agents, as streams.

export type Json = Record<string, unknown>

export interface ModelServer {
  readonly url: string
  /** The bodies of what was asked, in order. */
  readonly requests: Json[]
  close(): void
}

interface Call {
  readonly name: string
  readonly args: string
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: Json[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.method !== "POST" || request.url?.includes("count_tokens")) {
      response.end(JSON.stringify({ input_tokens: 1, data: [], models: [] }))
      return
    }
    requests.push(body)
    response.setHeader("content-type", "text/event-stream")
    if (request.url?.startsWith("/v1/messages")) answerMessages(body, response, requests.length)
    else answerResponses(body, response, requests.length)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = ""
  for await (const piece of request) text += piece
  return text === "" ? {} : JSON.parse(text)
}

function callsIn(text: string): Call[] {
  return [...text.matchAll(/^CALL (\S+) (\{.*\})$/gm)].map(([, name = "", args = ""]) => ({ name, args }))
}

/** The blocks or items of a message, also where it is a text. */
export function blocksOf(content: unknown): Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : ((content ?? []) as Json[])
}

export function textOf(content: unknown): string {
  return blocksOf(content)
    .map(({ text }) => text)
    .filter((text) => typeof text === "string")
    .join("\n")
}

function sender(response: ServerResponse): (type: string, fields: Json) => void {
  return (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
}

/** Anthropic's Messages API. */
function answerMessages({ messages, model }: Json, response: ServerResponse, count: number): void {
  const all = messages as Json[]
  const last = all.slice(all.map(({ role }) => role).lastIndexOf("assistant") + 1)
  const isResult = last.some(({ content }) => blocksOf(content).some(({ type }) => type === "tool_result"))
  const text = last.map(({ content }) => textOf(content)).join("\n")
  const calls = isResult ? [] : callsIn(text)
  const said = isResult ? "I have the results." : calls.length > 0 ? "I call." : `Answer ${count}`
  const blocks: Json[] = [
    { type: "thinking", thinking: "I think.", signature: "c2lnbmF0dXJl" },
    { type: "text", text: said },
    ...calls.map(({ name, args }, at) => ({ type: "tool_use", id: `toolu_${count}_${at}`, name, args })),
  ]
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 }
  const send = sender(response)
  const message = { id: `msg_${count}`, type: "message", role: "assistant", model, content: [], usage }
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } })
  for (const [index, { text, thinking, signature, args, ...block }] of blocks.entries()) {
    const isTool = block.type === "tool_use"
    const empty = isTool ? { input: {} } : block.type === "text" ? { text: "" } : { thinking: "", signature: "" }
    send("content_block_start", { index, content_block: { ...block, ...empty } })
    const delta = (fields: Json) => send("content_block_delta", { index, delta: fields })
    if (text !== undefined) delta({ type: "text_delta", text })
    if (thinking !== undefined) delta({ type: "thinking_delta", thinking })
    if (signature !== undefined) delta({ type: "signature_delta", signature })
    if (isTool) delta({ type: "input_json_delta", partial_json: args })
    send("content_block_stop", { index })
  }
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn"
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage })
  send("message_stop", {})
}

/** OpenAI's Responses API. */
function answerResponses({ input }: Json, response: ServerResponse, count: number): void {
  const last = (input as Json[]).at(-1) ?? {}
  const calls = last.type === "message" ? callsIn(textOf(last.content)) : []
  const text = last.type === "message" ? `Answer ${count}` : "I have the results."
  const content = [{ type: "output_text", text, annotations: [] }]
  const summary = [{ type: "summary_text", text: "I think." }]
  const items: Json[] = [
    { type: "reasoning", id: `rs_${count}`, summary, encrypted_content: "ZW5jcnlwdGVk" },
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
  const details = { input_tokens_details: { cached_tokens: 1000 }, output_tokens_details: { reasoning_tokens: 2 } }
  const usage = { input_tokens: 1100, output_tokens: 7, total_tokens: 1107, ...details }
  send("response.completed", { response: { id: `resp_${count}`, usage } })
}
