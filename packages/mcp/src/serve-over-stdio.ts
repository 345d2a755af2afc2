import { Readable } from "node:stream"
import { isJSONRPCRequest, isJSONRPCResponse, isSpecType, type RequestId } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.js"

/**
 * Serves one client over the standard input and output of this process, until the client closes them. What was asked before the input
 * ended is answered first. Nothing else may be printed until then.
 * @param signal ends it earlier, and at once
 */
export async function serveOverStdio(options: McpServerOptions, signal?: AbortSignal): Promise<void> {
  const server = createMcpServer(options)
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
  })
  const close = (): void => void server.close()
  signal?.addEventListener("abort", close, { once: true })
  const { stdin } = process
  // The transport closes as soon as its input ends, whatever is still to be answered: it gets one that ends later.
  const input = new Readable({ read: () => {} })
  const transport = new StdioServerTransport(input)
  const onceAnswered = requestsOf(transport)
  const take = (chunk: Buffer): void => void input.push(chunk)
  const end = (): void => onceAnswered(() => input.push(null))
  const fail = (error: Error): void => void input.destroy(error)
  await server.connect(transport)
  stdin.on("data", take).on("end", end).on("close", end).on("error", fail)
  if (stdin.readableEnded || stdin.destroyed) end()
  if (signal?.aborted) close()
  await closed
  // The process would continue to wait for input.
  stdin.off("data", take).pause()
}

/** Watches the requests that a transport reads. @returns calls a function once all of them are answered, or cancelled by the client */
function requestsOf(transport: StdioServerTransport): (then: () => void) => void {
  const open = new Set<RequestId | undefined>()
  let onAnswered: (() => void) | undefined
  const settle = (id: RequestId | undefined): void => {
    open.delete(id)
    if (open.size === 0) onAnswered?.()
  }
  transport.onmessage = (message) => {
    if (isJSONRPCRequest(message)) open.add(message.id)
    else if (isSpecType.CancelledNotification(message)) settle(message.params.requestId)
  }
  const send = transport.send.bind(transport)
  transport.send = async (message) => {
    try {
      await send(message)
    } finally {
      if (isJSONRPCResponse(message)) settle(message.id)
    }
  }
  return (then) => {
    onAnswered = then
    if (open.size === 0) then()
  }
}
