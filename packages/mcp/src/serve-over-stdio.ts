import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.js"

/**
 * Serves one client over the standard input and output of this process, until the client closes them. Nothing else may be printed
 * meanwhile.
 * @param signal ends it earlier
 */
export async function serveOverStdio(options: McpServerOptions, signal?: AbortSignal): Promise<void> {
  const server = createMcpServer(options)
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve
  })
  const close = (): void => void server.close()
  process.stdin.once("end", close)
  signal?.addEventListener("abort", close, { once: true })
  await server.connect(new StdioServerTransport())
  if (signal?.aborted) close()
  await closed
}
