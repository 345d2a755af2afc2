import { webDigest } from "@treelog/session-core/adapter"
import type { S3Credentials } from "./credentials.js"

// Signature Version 4 of AWS, in the form for S3: the path is encoded once, and the hash of the body is a header.

/** A request before it is signed. Path and query are encoded already, by `encodeUri`. */
export interface UnsignedRequest {
  readonly method: string
  readonly url: URL
  /** Their names are in lower case. All of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
}

/** Who signs, for which region, and when. */
export interface Signer {
  readonly credentials: S3Credentials
  readonly region: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The headers of the request, with those that sign it. `host` is signed too; `fetch` sends it. */
export async function signRequest(request: UnsignedRequest, signer: Signer): Promise<Record<string, string>> {
  const { credentials, region } = signer
  const time = new Date(signer.now).toISOString().replace(/[-:]|\.\d{3}/g, "")
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": request.bodyHash,
    "x-amz-date": time,
    ...(credentials.sessionToken === undefined ? {} : { "x-amz-security-token": credentials.sessionToken }),
  }
  const { canonical, names } = canonicalRequest(request, headers)
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${await webDigest.sha256(encoder.encode(canonical))}`
  let key: Uint8Array = encoder.encode(`AWS4${credentials.secretAccessKey}`)
  for (const part of scope.split("/")) key = await hmac(key, part)
  const signature = hex(await hmac(key, text))
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { ...headers, authorization }
}

/** Encodes all characters except letters, digits and `-._~`, as the signature requires. */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function canonicalRequest({ method, url, bodyHash }: UnsignedRequest, headers: Readonly<Record<string, string>>) {
  const query = url.search === "" ? [] : url.search.slice(1).split("&")
  const pairs = query.map((pair) => (pair.includes("=") ? pair : `${pair}=`)).sort()
  const signed = Object.entries({ ...headers, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, " ")}\n`).join("")
  const names = signed.map(([name]) => name).join(";")
  return { canonical: [method, url.pathname, pairs.join("&"), lines, names, bodyHash].join("\n"), names }
}

const encoder = new TextEncoder()

async function hmac(key: Uint8Array, text: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const imported = await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, algorithm, false, ["sign"])
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}
