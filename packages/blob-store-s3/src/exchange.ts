import { joinBytes } from "@treelog/session-core/adapter"

/** The slowest upload that is not a fault. */
const BYTES_PER_MS = 50

/** The largest blob. Bytes. */
export const MOST_BYTES = 1024 ** 3
/** The largest other answer: lists of 1000 objects have less than two megabytes. Bytes. */
const MOST_OTHER_BYTES = 16 * 1024 ** 2

/** An answer has more bytes than any that was requested. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge"
}

/** A complete answer. */
export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

/** A request as it is sent. */
export interface SignedRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  /** Whether the answer is a blob. */
  readonly isBlob: boolean
}

/**
 * Sends the request once, and reads the whole answer.
 * @param timeoutMs how long nothing may happen, in addition to the time that the upload takes
 * @throws what `fetch` throws; a DOMException named TimeoutError; AnswerTooLarge
 */
export async function exchange(send: typeof fetch, request: SignedRequest, timeoutMs: number): Promise<S3Answer> {
  const { method, url, headers, body, isBlob } = request
  const timeout = new Timeout(timeoutMs)
  try {
    timeout.restart((body?.length ?? 0) / BYTES_PER_MS)
    const response = await send(url, {
      method,
      headers,
      // A redirect leads to a host that the user has not named.
      redirect: "manual",
      signal: timeout.signal,
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    })
    const bytes = await bytesOf(response, isBlob ? MOST_BYTES : MOST_OTHER_BYTES, () => timeout.restart())
    return { status: response.status, headers: response.headers, bytes }
  } catch (error) {
    throw timeout.signal.aborted ? timeout.signal.reason : error
  } finally {
    timeout.end()
  }
}

/** Aborts when nothing has happened for some time. */
class Timeout {
  readonly #controller = new AbortController()
  readonly #ms: number
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number) {
    this.#ms = ms
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(extraMs = 0): void {
    clearTimeout(this.#timer)
    const reason = new DOMException("No answer in time", "TimeoutError")
    this.#timer = setTimeout(() => this.#controller.abort(reason), this.#ms + extraMs)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

async function bytesOf(response: Response, most: number, onChunk: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    chunks.push(next.value)
    length += next.value.length
    if (length > most) {
      await reader?.cancel()
      throw new AnswerTooLarge(`The answer has more than ${most} bytes.`)
    }
    onChunk()
  }
  return joinBytes(chunks)
}
