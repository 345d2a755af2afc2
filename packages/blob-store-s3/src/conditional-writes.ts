import { webDigest } from "@treelog/session-core/adapter"
import type { S3Client } from "./s3-client.js"
import { s3Error } from "./s3-error.js"

/** The object that the requests are tried on. It stays, so that later one request is enough. */
const PROBE = ".conditional-writes"
const TEXT = "treelog tests with this object whether the store honours If-None-Match.\n"

/** Verifies once that the store honours `If-None-Match: *`. */
export class ConditionalWrites {
  readonly #client: S3Client
  #verified: Promise<void> | undefined

  constructor(client: S3Client) {
    this.#client = client
  }

  /** @throws StorageError whose `errno` is `ConditionalWritesIgnored`; others when the store does not answer */
  require(): Promise<void> {
    this.#verified ??= this.#verify().catch((error: unknown) => {
      this.#verified = undefined
      throw error
    })
    return this.#verified
  }

  async #verify(): Promise<void> {
    // A store that refuses the first request as a duplicate has the object from an earlier time.
    for (let attempt = 1; attempt <= 2; attempt++) if ((await this.#create()) === 412) return
    throw this.#refusal("it overwrote an object although the request had `If-None-Match: *`")
  }

  async #create(): Promise<number> {
    const bytes = new TextEncoder().encode(TEXT)
    const answer = await this.#client.send({
      operation: "put",
      name: PROBE,
      method: "PUT",
      headers: { "content-type": "text/plain", "if-none-match": "*" },
      body: { bytes, hash: await webDigest.sha256(bytes) },
      accept: [200, 412, 501],
    })
    if (answer.status === 501) throw this.#refusal("it does not know `If-None-Match: *`")
    return answer.status
  }

  #refusal(what: string) {
    const { address } = this.#client
    const reason = `ConditionalWritesIgnored: the store at ${address.origin} cannot be used: ${what}. Without this, writers replace what others stored. Use a store that honours conditional writes.`
    return s3Error(address, { operation: "put", name: PROBE }, "ConditionalWritesIgnored", reason)
  }
}
