import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { onTestFinished } from "vitest"

interface Message {
  readonly role: string
  readonly content: string | readonly { readonly text?: string }[] | null
}

/** A server with OpenAI's protocol, until the test ends. A prompt `run …` calls the tool bash; anything else is repeated. @returns its address */
export async function startFakeOpenAI(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { messages, model } = JSON.parse(await text(request)) as { messages: Message[]; model: string }
    const send = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model, ...fields })}\n\n`,
      )
    response.writeHead(200, { "content-type": "text/event-stream" })
    const { delta, reason } = answer(messages)
    send({ choices: [{ index: 0, delta, finish_reason: null }] })
    send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
    send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })
    response.end("data: [DONE]\n\n")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

function answer(messages: readonly Message[]): { delta: object; reason: string } {
  const { role, content } = messages.at(-1) ?? { role: "user", content: "" }
  const asked = typeof content === "string" ? content : (content ?? []).map((block) => block.text ?? "").join(" ")
  if (role === "tool") return { delta: { role: "assistant", content: `The tool said ${asked.trim()}` }, reason: "stop" }
  if (!asked.startsWith("run ")) return { delta: { role: "assistant", content: `You said ${asked}` }, reason: "stop" }
  const call = { name: "bash", arguments: JSON.stringify({ command: asked.slice(4) }) }
  const calls = [{ index: 0, id: `call_${messages.length}`, type: "function", function: call }]
  return { delta: { role: "assistant", content: "I look.", tool_calls: calls }, reason: "tool_calls" }
}
