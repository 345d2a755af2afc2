import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { Json } from "./blocks.js"
import { answerChat } from "./chat-api.js"
import { answerGemini } from "./gemini-api.js"
import { answerMessages } from "./messages-api.js"
import { answerResponses } from "./responses-api.js"

// A model that does what the last prompt says: for each line `CALL <tool> <arguments as JSON>` it calls the tool, otherwise it answers.
// Lines `ANSWER` and `STOP` say with what, and why it stops.
// It speaks the protocols of the agents, as streams.

export interface ModelServer {
  readonly url: string
  /** The bodies of what was asked, in order. */
  readonly requests: Json[]
  /** What each answer waits for. */
  held: Promise<void> | undefined
  close(): void
}

export async function startModelServer(): Promise<ModelServer> {
  const requests: Json[] = []
  const model = { url: "", requests, held: undefined as Promise<void> | undefined, close }
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    if (request.method !== "POST" || /count_?tokens/i.test(request.url ?? "")) {
      response.end(JSON.stringify({ input_tokens: 1, data: [], models: [] }))
      return
    }
    requests.push(body)
    const count = requests.length
    await model.held
    response.setHeader("content-type", "text/event-stream")
    let isEnded = true
    if (request.url?.startsWith("/v1/messages")) isEnded = answerMessages(body, response, count)
    else if (request.url?.includes("enerateContent"))
      isEnded = answerGemini(body, response, count, request.url.includes("stream"))
    else if (request.url?.endsWith("/chat/completions")) isEnded = answerChat(body, response, count)
    else isEnded = answerResponses(body, response, count)
    if (isEnded) response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  model.url = `http://127.0.0.1:${port}`
  return model

  function close(): void {
    server.close()
    server.closeAllConnections()
  }
}

/** The last request that has a text: an agent may ask for something else behind it. */
export function requestWith({ requests }: ModelServer, text: string): Json {
  return requests.filter((request) => JSON.stringify(request).includes(JSON.stringify(text).slice(1, -1))).at(-1) ?? {}
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = ""
  request.setEncoding("utf8")
  for await (const piece of request) text += piece
  return text === "" ? {} : JSON.parse(text)
}
