import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type S3Call, signatureFault } from "./verify-signature.js"

export interface S3Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What happens to a request instead of, or beside, its answer. */
export type S3Fault =
  /** The connection breaks before the request is carried out. */
  | "drop-request"
  /** The request is carried out, and the connection breaks before the answer. */
  | "drop-answer"
  /** The request is carried out, and nothing is ever answered. */
  | "hang"
  /** The answer has this code of S3, and the request is not carried out. */
  | { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> }
  /** The request is carried out when `before` resolves, and answered when `after` does. Lost, it is not answered; early, before `before`. */
  | {
      readonly before: () => Promise<void>
      readonly after: () => Promise<void>
      readonly lost?: "early" | "late" | undefined
    }

/** In what a store may differ from others, and what goes wrong. */
export interface S3Behaviour {
  /** Overwrites although the request has `If-None-Match: *`. */
  ignoresConditions: boolean
  /** Whether ETags have quotes in headers. */
  quotesEtags: boolean
  /** Copies get an ETag of their own, as with encryption by managed keys. */
  copiesGetNewEtags: boolean
  /** The most keys of a page, whatever the request asks for. */
  pageSize: number
  /** Called for each request. */
  fault: (call: S3Call) => S3Fault | undefined
}

interface StoredObject {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly modified: number
}

/**
 * The part of S3 that treelog uses, in memory, for one bucket and one user. The tests of `packages/blob-store-s3` hold it to what a
 * real store does.
 */
export class FakeS3 {
  readonly endpoint = "http://s3.test"
  readonly region = "us-east-1"
  readonly bucket = "blobs"
  readonly accessKeyId = "AKIATESTTESTTESTTEST"
  readonly secretAccessKey = "c2VjcmV0LW9mLXRoZS1mYWtl/T+estOnly"
  readonly behaviour: S3Behaviour = {
    ignoresConditions: false,
    quotesEtags: true,
    copiesGetNewEtags: false,
    pageSize: 1000,
    fault: () => undefined,
  }
  /** By key. */
  readonly objects = new Map<string, StoredObject>()
  /** Every request that arrived. */
  readonly calls: S3Call[] = []
  /** Added to the clock of the store. Milliseconds. */
  ahead = 0
  #count = 0

  now(): number {
    return Date.now() + this.ahead
  }

  /** In place of the global `fetch`. */
  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { signal } = init ?? {}
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), host: url.host }
    const body = init?.body instanceof Uint8Array ? init.body.slice() : new Uint8Array()
    const call = { method: init?.method ?? "GET", url, headers, body }
    signal?.throwIfAborted()
    const aborted = new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true }),
    )
    // Without a listener of its own, a rejection after the answer would end the process.
    aborted.catch(() => undefined)
    const reply = await Promise.race([this.answer(call), aborted])
    if (reply === undefined) {
      const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
      throw new TypeError("fetch failed", { cause })
    }
    const isEmpty = call.method === "HEAD" || reply.status === 204
    return new Response(isEmpty ? null : (reply.body as Uint8Array<ArrayBuffer>), reply)
  }

  /** Undefined when the connection breaks. */
  async answer(call: S3Call): Promise<S3Reply | undefined> {
    this.calls.push(call)
    const fault = this.behaviour.fault(call)
    if (fault === undefined) return this.#carryOut(call)
    if (fault === "drop-request") return undefined
    if (typeof fault === "object" && "status" in fault) return this.#error(fault.status, fault.code, fault.headers)
    if (typeof fault === "object") {
      const carriedOut = fault.before().then(() => this.#carryOut(call))
      if (fault.lost === "early") return undefined
      const late = await carriedOut
      await fault.after()
      return fault.lost === "late" ? undefined : late
    }
    const reply = this.#carryOut(call)
    if (fault === "hang") return new Promise(() => undefined)
    return fault === "drop-answer" ? undefined : reply
  }

  #carryOut(call: S3Call): S3Reply {
    const keys = new Map([[this.accessKeyId, this.secretAccessKey]])
    const fault = signatureFault(call, keys, this.now())
    if (fault !== undefined) return this.#error(fault === "XAmzContentSHA256Mismatch" ? 400 : 403, fault)
    const { bucket, key } = this.#placeOf(call.url)
    if (bucket !== this.bucket) return this.#error(404, "NoSuchBucket")
    if (key === "")
      return call.method === "GET" ? this.#list(call.url.searchParams) : this.#error(405, "MethodNotAllowed")
    switch (call.method) {
      case "PUT":
        return call.headers["x-amz-copy-source"] === undefined ? this.#put(key, call) : this.#copy(key, call)
      case "GET":
      case "HEAD":
        return this.#get(key, call)
      case "DELETE":
        this.objects.delete(key)
        return this.#reply(204)
      default:
        return this.#error(405, "MethodNotAllowed")
    }
  }

  #placeOf({ host, pathname }: URL) {
    const own = new URL(this.endpoint).host
    const path = decodeURIComponent(pathname).slice(1)
    if (host !== own && host.endsWith(`.${own}`)) return { bucket: host.slice(0, -own.length - 1), key: path }
    const [bucket = "", ...key] = path.split("/")
    return { bucket, key: key.join("/") }
  }

  #put(key: string, { headers, body }: S3Call): S3Reply {
    const exists = headers["if-none-match"] === "*" && this.objects.has(key)
    if (exists && !this.behaviour.ignoresConditions) return this.#error(412, "PreconditionFailed")
    const etag = createHash("md5").update(body).digest("hex")
    this.objects.set(key, { bytes: body, etag, modified: this.now() })
    return this.#reply(200, { etag: this.#inHeader(etag) })
  }

  #copy(key: string, { headers }: S3Call): S3Reply {
    const [, bucket, ...rest] = decodeURIComponent(headers["x-amz-copy-source"] ?? "").split("/")
    const source = rest.join("/")
    const found = this.objects.get(source)
    if (bucket !== this.bucket) return this.#error(404, "NoSuchBucket")
    if (found === undefined) return this.#error(404, "NoSuchKey")
    if (source === key && headers["x-amz-metadata-directive"] !== "REPLACE") return this.#error(400, "InvalidRequest")
    const etag = this.behaviour.copiesGetNewEtags ? createHash("md5").update(found.etag).digest("hex") : found.etag
    const modified = this.now()
    this.objects.set(key, { ...found, etag, modified })
    const inner = `<LastModified>${new Date(modified).toISOString()}</LastModified><ETag>${etag}</ETag>`
    return this.#xml(200, `<CopyObjectResult>${inner}</CopyObjectResult>`)
  }

  #get(key: string, { headers }: S3Call): S3Reply {
    const found = this.objects.get(key)
    if (found === undefined) return this.#error(404, "NoSuchKey")
    const { bytes, etag, modified } = found
    const about = {
      etag: this.#inHeader(etag),
      "last-modified": new Date(modified).toUTCString(),
      "content-type": "application/octet-stream",
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")
    if (range === null) return this.#reply(200, { ...about, "content-length": `${bytes.length}` }, bytes)
    const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)]
    if (from >= bytes.length) return this.#error(416, "InvalidRange")
    return this.#reply(206, { ...about, "content-length": `${to + 1 - from}` }, bytes.subarray(from, to + 1))
  }

  #list(query: URLSearchParams): S3Reply {
    const { prefix = "", delimiter = "", "continuation-token": token, ...rest } = Object.fromEntries(query)
    const pageSize = Math.min(Number(rest["max-keys"] ?? 1000), this.behaviour.pageSize)
    const after = token === undefined ? "" : Buffer.from(token, "base64").toString()
    const encode = rest["encoding-type"] === "url" ? encodeURIComponent : escapeXml
    // Keys below the next delimiter are one entry of the list, in their order.
    const entries = new Map<string, StoredObject | undefined>()
    for (const [key, object] of this.objects) {
      if (!key.startsWith(prefix)) continue
      const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length)
      if (end < 0) entries.set(key, object)
      else entries.set(key.slice(0, end + delimiter.length), undefined)
    }
    const rows = [...entries].filter(([key]) => key > after).sort(([one], [other]) => (one < other ? -1 : 1))
    const page = rows.slice(0, pageSize)
    const contents = page.map(([key, object]) => {
      if (object === undefined) return `<CommonPrefixes><Prefix>${encode(key)}</Prefix></CommonPrefixes>`
      const time = `<LastModified>${new Date(object.modified).toISOString()}</LastModified>`
      return `<Contents><Key>${encode(key)}</Key>${time}<ETag>&quot;${object.etag}&quot;</ETag><Size>${object.bytes.length}</Size></Contents>`
    })
    const isTruncated = rows.length > page.length
    const next = Buffer.from(page.at(-1)?.[0] ?? "").toString("base64")
    const end = isTruncated ? `<NextContinuationToken>${next}</NextContinuationToken>` : ""
    const encoding = rest["encoding-type"] === "url" ? "<EncodingType>url</EncodingType>" : ""
    return this.#xml(
      200,
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${encoding}<IsTruncated>${isTruncated}</IsTruncated>${contents.join("")}${end}</ListBucketResult>`,
    )
  }

  #inHeader(etag: string): string {
    return this.behaviour.quotesEtags ? `"${etag}"` : etag
  }

  #error(status: number, code: string, headers: Readonly<Record<string, string>> = {}): S3Reply {
    return this.#xml(status, `<Error><Code>${code}</Code><Message></Message></Error>`, headers)
  }

  #xml(status: number, text: string, headers: Readonly<Record<string, string>> = {}): S3Reply {
    const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
    return this.#reply(status, { "content-type": "application/xml", ...headers }, body)
  }

  #reply(status: number, headers: Readonly<Record<string, string>> = {}, body: Uint8Array = new Uint8Array()): S3Reply {
    const date = new Date(this.now()).toUTCString()
    return { status, headers: { date, "x-amz-request-id": `fake-${++this.#count}`, ...headers }, body }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" }

function escapeXml(text: string): string {
  return text.replace(/[<>&"]/g, (char) => ESCAPES[char] ?? char)
}

/** Serves the fake on a port of 127.0.0.1. */
export async function serveS3(fake: FakeS3): Promise<{ endpoint: string; stop: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch (error) {
      // A real store stores nothing of an upload that breaks off either.
      if (request.readableAborted) return
      throw error
    }
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value)
    const url = new URL(request.url ?? "/", `http://${headers.host}`)
    const reply = await fake.answer({ method: request.method ?? "GET", url, headers, body: Buffer.concat(pieces) })
    if (reply === undefined) {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, reply.headers)
    response.end(request.method === "HEAD" ? undefined : reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}
