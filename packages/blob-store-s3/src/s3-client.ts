import type { Clock, TreelogError } from "@treelog/session-core"
import { systemClock } from "@treelog/session-core/adapter"
import { assertCredentials, type S3Credentials } from "./credentials.js"
import { AnswerTooLarge, exchange, type S3Answer } from "./exchange.js"
import { S3Address, type S3Location } from "./s3-address.js"
import { answerError, codeOf, connectionError, type FailedAnswer, type S3Operation, s3Error } from "./s3-error.js"
import { signRequest } from "./sign-request.js"
import { type S3Timer, systemTimer } from "./timer.js"

// Each request is tried several times, since each can be repeated: reads, writes of the same bytes under the same key, and copies. Only
// deletions are not, see sweep.ts.

const ATTEMPTS = 5
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000
/** 409: two requests for one object at a time. */
const RETRIED_STATUSES: readonly number[] = [408, 409, 429, 500, 502, 503, 504]
/** Codes of other answers: damage and stalls on the way, and copies that fail late. */
const RETRIED_CODES: readonly string[] = [
  "BadDigest",
  "IncompleteBody",
  "InternalError",
  "RequestTimeout",
  "SlowDown",
  "XAmzContentSHA256Mismatch",
]

const HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/** Where the blobs are, and what the store needs to reach them. */
export interface S3BlobStoreOptions extends S3Location {
  /** The keys, or a function that returns current ones; it is called for each request. */
  readonly credentials: S3Credentials | (() => S3Credentials | Promise<S3Credentials>)
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof fetch | undefined
  /** How long a request may go without progress before it is repeated; 30,000 milliseconds by default. */
  readonly timeoutMs?: number | undefined
  /** The time for signatures. */
  readonly clock?: Clock | undefined
  /** Waits between attempts, and measures the times of a sweep; for tests. */
  readonly timer?: S3Timer | undefined
}

/** A request for an object, or for the bucket. */
export interface S3Request extends S3Operation {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE"
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly bytes: Uint8Array; readonly hash: string }
  /** The statuses of answers that are returned; 200 by default. Others are errors. "final": all that are not worth another attempt. */
  readonly accept?: readonly number[] | "final"
  /** Whether it is for the bucket; by default it is for the object `name`. */
  readonly isBucket?: boolean
  /** If it returns false, the request is not sent. */
  readonly mayStart?: () => boolean
}

type Outcome =
  | { readonly answer: S3Answer }
  | { readonly error: TreelogError<"StorageError">; readonly mayPass: boolean; readonly waitMs: number }

/** The time of the store when it sent an answer; milliseconds since 1970. NaN if it does not report it. */
export function timeOf({ headers }: S3Answer): number {
  return Date.parse(headers.get("date") ?? "")
}

/** Sends signed requests to one bucket. */
export class S3Client {
  readonly address: S3Address
  readonly timer: S3Timer
  /** Whether the store has answered as it does only for a bucket that exists. */
  isBucketKnown = false
  readonly #credentials: S3BlobStoreOptions["credentials"]
  readonly #fetch: typeof fetch
  readonly #clock: Clock
  readonly #timeoutMs: number

  constructor(options: S3BlobStoreOptions) {
    this.address = new S3Address(options)
    this.timer = options.timer ?? systemTimer
    this.#credentials = options.credentials
    // Called without a receiver: the global one refuses any other than its own.
    this.#fetch = options.fetch ?? ((...args) => fetch(...args))
    this.#clock = options.clock ?? systemClock
    this.#timeoutMs = options.timeoutMs ?? 30_000
  }

  /** @throws StorageError; what the function for credentials throws */
  async send(request: S3Request): Promise<S3Answer> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(request, this.#timeoutMs)
      if ("answer" in outcome) return outcome.answer
      if (attempt === ATTEMPTS || !outcome.mayPass) throw outcome.error
      await this.timer.sleep(Math.max(pauseAfter(attempt), outcome.waitMs))
    }
  }

  /**
   * Removes an object, in one attempt, which may take `withinMs`. `mayStart` is called when the request is signed, right before it is sent.
   * Returns an error that may pass: then the object may have been removed, or may be later.
   * @throws StorageError, for others
   */
  async remove(purpose: S3Operation, withinMs: number, mayStart: () => boolean) {
    const request = { ...purpose, method: "DELETE", accept: [200, 204, 404], mayStart } as const
    const outcome = await this.#attempt(request, withinMs)
    if ("answer" in outcome) return undefined
    if (!outcome.mayPass) throw outcome.error
    return outcome.error
  }

  /** The error for an answer. */
  error(purpose: S3Operation, answer: S3Answer): TreelogError<"StorageError"> {
    return answerError(this.address, purpose, this.#failed(answer))
  }

  /** S3's code of an answer that is not a success. */
  codeOf(answer: S3Answer): string {
    return codeOf(this.#failed(answer))
  }

  #failed(answer: S3Answer): FailedAnswer {
    return { status: answer.status, headers: answer.headers, text: textIn(answer), now: this.#clock.now() }
  }

  async #attempt(request: S3Request, timeoutMs: number): Promise<Outcome> {
    const url = this.address.url(request.isBucket ? undefined : request.name, request.query)
    const { headers, secrets } = await this.#signedHeaders(request, url)
    if (request.mayStart?.() === false) {
      const reason = "ETIMEDOUT: the store or `credentials` took too long. Try again later."
      return { error: s3Error(this.address, request, "ETIMEDOUT", reason), mayPass: true, waitMs: 0 }
    }
    try {
      const isBlob = request.method === "GET" && request.isBucket !== true
      const signed = { method: request.method, url, headers, body: request.body?.bytes, isBlob }
      const answer = await exchange(this.#fetch, signed, timeoutMs)
      if (isFailure(request, answer)) {
        const failed = this.#failed(answer)
        const mayPass = RETRIED_STATUSES.includes(answer.status) || RETRIED_CODES.includes(codeOf(failed))
        return { error: this.error(request, answer), mayPass, waitMs: waitAskedBy(answer.headers) }
      }
      this.isBucketKnown ||= [200, 206, 412].includes(answer.status)
      return { answer }
    } catch (fault) {
      if (fault instanceof AnswerTooLarge) {
        const error = s3Error(this.address, request, fault.name, `${fault.name}: ${fault.message}`)
        return { error, mayPass: false, waitMs: 0 }
      }
      return { error: connectionError(this.address, request, fault, secrets), mayPass: true, waitMs: 0 }
    }
  }

  async #signedHeaders({ method, headers = {}, body }: S3Request, url: URL) {
    const given = this.#credentials
    const credentials = typeof given === "function" ? await given() : given
    assertCredentials(credentials)
    const request = { method, url, headers, bodyHash: body?.hash ?? HASH_OF_NOTHING }
    const signed = await signRequest(request, { credentials, region: this.address.region, now: this.#clock.now() })
    // Not signed, since proxies change it. Without it, `fetch` accepts compressed bodies.
    const all: Record<string, string> = { ...signed, "accept-encoding": "identity" }
    const secrets = [...Object.values(credentials).map(String), all.authorization?.split("Signature=")[1] ?? ""]
    return { headers: all, secrets: secrets.filter((secret) => secret !== "") }
  }
}

/** Whether this is an error: a copy that fails late has status 200, and the error is its body. */
function isFailure({ headers = {}, accept = [200] }: S3Request, answer: S3Answer): boolean {
  const isAccepted = accept === "final" ? !RETRIED_STATUSES.includes(answer.status) : accept.includes(answer.status)
  if (!isAccepted) return true
  return "x-amz-copy-source" in headers && answer.status === 200 && !textIn(answer).includes("<CopyObjectResult")
}

const textIn = ({ bytes }: S3Answer) => new TextDecoder().decode(bytes)

/** Half of it is random, so that many clients do not return together. */
function pauseAfter(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

function waitAskedBy(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return seconds > 0 ? Math.min(seconds * 1000, 4 * LONGEST_PAUSE_MS) : 0
}
