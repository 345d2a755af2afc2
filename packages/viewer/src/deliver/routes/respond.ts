/** Headers of every response: no caching, no MIME sniffing, no framing, no referrer. */
const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}

export function respond(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream | null,
  type: string,
  status = 200,
): Response {
  return new Response(body, { status, headers: { ...HEADERS, "content-type": type } })
}

export function jsonResponse(value: unknown, status = 200): Response {
  return respond(JSON.stringify(value), "application/json", status)
}

/** A page, which has a policy of its own for what it may load. */
export function pageResponse(html: string, status = 200): Response {
  const response = respond(html, "text/html; charset=utf-8", status)
  response.headers.set("content-security-policy", "frame-ancestors 'none'")
  response.headers.set("cross-origin-opener-policy", "same-origin")
  return response
}

export function refusal(status: number, message: string): Response {
  return jsonResponse({ message }, status)
}

export function nothingHere(): Response {
  return refusal(404, "There is nothing here.")
}

/** A response whose body is made as it is read. An error ends it where it is. */
export function streamResponse(chunks: AsyncIterator<Uint8Array>, type: string): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
  return respond(body, type)
}

/** `streamResponse` once the first chunk is there: an error before it has a status of its own. */
export async function startedResponse(chunks: AsyncGenerator<Uint8Array>, type: string): Promise<Response> {
  const first = await chunks.next()
  return first.done ? respond(null, type) : streamResponse(withFirst(first.value, chunks), type)
}

async function* withFirst(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}
