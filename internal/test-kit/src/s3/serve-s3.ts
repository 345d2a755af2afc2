import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { FakeS3 } from "./fake-s3.js"

/** Serves the fake on a port of 127.0.0.1. */
export async function serveS3(fake: FakeS3): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch (error) {
      // A real store stores nothing of an upload that breaks off either.
      if (request.readableAborted) return
      throw error
    }
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value)
    const url = new URL(request.url ?? "/", `http://${headers.host}`)
    const reply = await fake.answer({ method: request.method ?? "GET", url, headers, body: Buffer.concat(pieces) })
    if (reply === undefined) {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, reply.headers)
    response.end(request.method === "HEAD" ? undefined : reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
