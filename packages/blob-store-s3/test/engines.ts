import { createHash } from "node:crypto"
import type { S3BlobStoreOptions, S3Credentials, S3Timer } from "@treelog/blob-store-s3"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { encodeUri, signRequest, systemTimer } from "./door.js"

/** A store to test against: the fake, and a real one where its script started one. */
export interface Engine {
  readonly name: string
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly credentials: S3Credentials
  readonly fetch: typeof fetch
  readonly fake?: FakeS3
}

export function engineOf(fake: FakeS3): Engine {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, fetch } = fake
  return { name: "the fake", endpoint, region, bucket, credentials: { accessKeyId, secretAccessKey }, fetch, fake }
}

/** Of the store that scripts/test-engines.mjs started. */
async function startedEngines(): Promise<Engine[]> {
  const started = process.env.TREELOG_TEST_S3
  if (started === undefined) return []
  const { name, endpoint, region, bucket, accessKeyId, secretAccessKey } = JSON.parse(started) as Record<string, string>
  if (!name || !endpoint || !region || !bucket || !accessKeyId || !secretAccessKey)
    throw new Error("TREELOG_TEST_S3 is not complete")
  const engine = { name, endpoint, region, bucket, credentials: { accessKeyId, secretAccessKey }, fetch }
  const made = await ask(engine, "PUT", "")
  if (made.status !== 200) throw new Error(`Cannot create the bucket: ${made.status} ${made.text}`)
  return [engine]
}

/** The same tests run on all of them. */
export async function engines(): Promise<Engine[]> {
  return [engineOf(new FakeS3()), ...(await startedEngines())]
}

/** A timer whose pauses are replaced. */
export function timerWith(sleep: S3Timer["sleep"]): S3Timer {
  return { ...systemTimer, sleep }
}

/** A timer whose pauses take no time. */
export const instantly = timerWith(async () => {})

let prefixes = 0

/** A prefix that no other test uses. */
export function newPrefix(): string {
  return `tests/${process.pid}-${Date.now()}-${++prefixes}`
}

export function optionsFor(engine: Engine, prefix: string): S3BlobStoreOptions {
  const { endpoint, region, bucket, credentials, fetch } = engine
  return { endpoint, region, bucket, prefix, credentials, fetch }
}

interface Asked {
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly credentials?: S3Credentials
  readonly now?: number
  readonly bodyHash?: string
  readonly bucket?: string
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
  readonly text: string
  /** S3's code of an error. */
  readonly code: string | undefined
}

/** A signed request that bypasses `S3BlobStore`. */
export async function ask(engine: Engine, method: string, key: string, asked: Asked = {}): Promise<Answered> {
  const path = key === "" ? "" : `/${key.split("/").map(encodeUri).join("/")}`
  const query = Object.entries(asked.query ?? {}).map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}`)
  const url = new URL(`${engine.endpoint}/${asked.bucket ?? engine.bucket}${path}`)
  url.search = query.join("&")
  const body = Buffer.from(asked.body ?? "")
  const bodyHash = asked.bodyHash ?? createHash("sha256").update(body).digest("hex")
  const signer = {
    credentials: asked.credentials ?? engine.credentials,
    region: engine.region,
    now: asked.now ?? Date.now(),
  }
  const headers = await signRequest({ method, url, headers: asked.headers ?? {}, bodyHash }, signer)
  const response = await engine.fetch(url, {
    method,
    headers,
    ...(method === "PUT" ? { body: new Uint8Array(body) } : {}),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status: response.status, headers: response.headers, bytes, text, code: /<Code>(.*?)</.exec(text)?.[1] }
}
