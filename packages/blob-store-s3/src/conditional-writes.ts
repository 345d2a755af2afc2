import { webDigest } from "@treelog/session-core/adapter"
import type { S3Client } from "./s3-client.js"
import { s3Error } from "./s3-error.js"

/** The object that the requests are tried on. It stays, so that later one request is enough. */
const PROBE = ".conditional-writes"
const TEXT = "treelog tests with this object whether the store honours If-None-Match.\n"

/**
 * Verifies that the store honours `If-None-Match: *`.
 * @throws StorageError whose `errno` is `ConditionalWritesIgnored`; others when the store does not answer
 */
export async function requireConditionalWrites(client: S3Client): Promise<void> {
  // A store that refuses the first request as a duplicate has the object from an earlier time.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const status = await createProbe(client)
    if (status === 412) return
    if (status === 501) throw refusal(client, "it does not know `If-None-Match: *`")
  }
  throw refusal(client, "it overwrote an object although the request had `If-None-Match: *`")
}

async function createProbe(client: S3Client): Promise<number> {
  const bytes = new TextEncoder().encode(TEXT)
  const answer = await client.send({
    operation: "put",
    name: PROBE,
    method: "PUT",
    headers: { "content-type": "text/plain", "if-none-match": "*" },
    body: { bytes, hash: await webDigest.sha256(bytes) },
    accept: [200, 412, 501],
  })
  return answer.status
}

function refusal({ address }: S3Client, what: string) {
  const reason = `ConditionalWritesIgnored: the store at ${address.origin} cannot be used: ${what}. Without this, writers replace what others stored. Use a store that honours conditional writes.`
  return s3Error(address, { operation: "put", name: PROBE }, "ConditionalWritesIgnored", reason)
}
