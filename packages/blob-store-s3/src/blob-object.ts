import { webDigest } from "@treelog/session-core/adapter"
import { elementText } from "./read-xml.js"
import type { S3Client } from "./s3-client.js"

// The requests for the object of one blob. ETags are without quotes, which some stores leave out, and empty where the store reports none.

const CONTENT_TYPE = { "content-type": "application/octet-stream" }

const putting = (hash: string) => ({ operation: "put", name: hash, method: "PUT" }) as const

/** What was read of an object. */
export interface ReadObject {
  readonly bytes: Uint8Array
  readonly etag: string
  /** The hash that the bytes have. */
  readonly actual: string
}

/** Creates the object, and returns its ETag; undefined when it is there already. */
export async function createObject(client: S3Client, hash: string, bytes: Uint8Array): Promise<string | undefined> {
  const headers = { ...CONTENT_TYPE, "if-none-match": "*" }
  const answer = await client.send({ ...putting(hash), headers, body: { bytes, hash }, accept: [200, 412] })
  return answer.status === 200 ? etagOf(answer.headers.get("etag")) : undefined
}

/** Writes the object, whether it is there or not, and returns its ETag. @param name default: its hash */
export async function overwriteObject(
  client: S3Client,
  hash: string,
  bytes: Uint8Array,
  name: string = hash,
): Promise<string> {
  const answer = await client.send({ ...putting(name), headers: CONTENT_TYPE, body: { bytes, hash } })
  return etagOf(answer.headers.get("etag"))
}

/** Copies the object onto itself, and returns the ETag of the copy; undefined when it is gone. */
export async function touchObject(client: S3Client, hash: string): Promise<string | undefined> {
  const headers = {
    ...CONTENT_TYPE,
    "x-amz-copy-source": client.address.copySource(hash),
    // Without it, a copy onto itself is refused.
    "x-amz-metadata-directive": "REPLACE",
  }
  const answer = await client.send({ ...putting(hash), headers, accept: [200, 404] })
  if (answer.status === 200) return etagOf(elementText(new TextDecoder().decode(answer.bytes), "ETag"))
  if (client.codeOf(answer) === "NoSuchKey") return undefined
  throw client.error(putting(hash), answer)
}

/** Reads the object; undefined when there is none. */
export async function readObject(client: S3Client, hash: string, operation: string): Promise<ReadObject | undefined> {
  const purpose = { operation, name: hash }
  const answer = await client.send({ ...purpose, method: "GET", accept: [200, 404] })
  if (answer.status === 404) {
    if (client.codeOf(answer) === "NoSuchKey") return undefined
    throw client.error(purpose, answer)
  }
  const { bytes, headers } = answer
  return { bytes, etag: etagOf(headers.get("etag")), actual: await webDigest.sha256(bytes) }
}

function etagOf(text: string | null | undefined): string {
  return (text ?? "").replace(/^(?:W\/)?"?|"$/g, "")
}
