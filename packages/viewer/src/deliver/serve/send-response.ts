import type { ServerResponse } from "node:http"
import { write } from "./respond.js"

/** A request of the fetch API for a part of this server's paths, which aborts when the connection closes. */
export function requestFor(response: ServerResponse, path: string): Request {
  const left = new AbortController()
  response.once("close", () => left.abort())
  return new Request(`http://127.0.0.1/${path}`, { signal: left.signal })
}

/** Sends a response of the fetch API as it is made. When the connection closes, its body is cancelled. */
export async function sendResponse(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers))
  response.flushHeaders()
  const reader = body?.getReader()
  if (!reader) {
    response.end()
    return
  }
  response.once("close", () => {
    // A body that fails while it is cancelled has no reader any more.
    reader.cancel().catch(() => undefined)
  })
  for (;;) {
    const { value, done } = await reader.read()
    if (done || response.destroyed) break
    await write(response, value)
  }
  response.end()
}
