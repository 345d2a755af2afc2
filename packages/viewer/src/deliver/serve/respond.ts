import type { OutgoingHttpHeaders, ServerResponse } from "node:http"

/** Headers of every response: no caching, no MIME sniffing, no framing, no referrer. */
const HEADERS: OutgoingHttpHeaders = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "frame-ancestors 'none'",
}

export function begin(response: ServerResponse, status: number, type: string, more: OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { ...HEADERS, "content-type": type, ...more })
}

export function refuse(response: ServerResponse, status: number, message: string): void {
  begin(response, status, "text/plain; charset=utf-8")
  response.end(`${message}\n`)
}

/** Resolves when the bytes were accepted, or the connection is closed. */
export function write(response: ServerResponse, bytes: Uint8Array | string): Promise<void> {
  if (response.destroyed || response.write(bytes)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done)
      response.off("close", done)
      resolve()
    }
    response.once("drain", done)
    response.once("close", done)
  })
}
