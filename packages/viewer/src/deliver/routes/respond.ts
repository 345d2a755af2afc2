import { isTreelogError } from "@treelog/session-core"

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

const ANSWERS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  SessionNotFoundError: [404, "There is no such session."],
  AmbiguousSessionError: [409, "Several sessions have this id."],
  SessionChangedError: [409, "Another session is stored now."],
  InvalidSessionError: [422, "What is stored is not a session."],
  BlobDamagedError: [422, "The bytes of this blob are damaged."],
  IndexUnavailableError: [503, "There is no index to ask."],
}

/** An error of ours as its code and message; any other is for the server, which logs it. */
export function answerTo(error: unknown): Response {
  if (!isTreelogError(error)) throw error
  // Messages name places of this machine, which are not for those who ask.
  const [status, message] =
    error.code === "InvalidArgumentError"
      ? [400, error.message]
      : (ANSWERS[error.code] ?? [500, "The session cannot be read."])
  return jsonResponse({ code: error.code, message }, status)
}
