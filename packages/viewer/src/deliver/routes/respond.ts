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

export function refusal(status: number, message: string): Response {
  return jsonResponse({ message }, status)
}

/**
 * A response whose body is made as it is read. An error ends it where it is.
 * @param stop aborted when the reader leaves, for chunks that wait for something
 */
export function streamResponse(chunks: AsyncIterator<Uint8Array>, type: string, stop?: AbortController): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      stop?.abort()
      await chunks.return?.()
    },
  })
  return respond(body, type)
}

/** The same, when the first chunk is there: an error before it has a status of its own. */
export async function startedResponse(
  chunks: AsyncGenerator<Uint8Array>,
  type: string,
  stop?: AbortController,
): Promise<Response> {
  const first = await chunks.next()
  if (first.done) return respond(null, type)
  let next: Promise<IteratorResult<Uint8Array>> | undefined = Promise.resolve(first)
  const started: AsyncIterator<Uint8Array> = {
    next() {
      const now = next ?? chunks.next()
      next = undefined
      return now
    },
    return: () => chunks.return(undefined),
  }
  return streamResponse(started, type, stop)
}
