import { inspect } from "node:util"
import { S3BlobStore, type S3BlobStoreOptions } from "@treelog/blob-store-s3"
import { isTreelogError } from "@treelog/session-core"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { describe, expect, test } from "vitest"
import { engineOf, instantly, optionsFor } from "./engines.js"

const bytes = new TextEncoder().encode("blob")
const HASH = "0123456789abcdef".repeat(4)
const credentials = {
  accessKeyId: "AKIAPLANTED",
  secretAccessKey: "planted/secret+key",
  sessionToken: "planted-token==",
}

function storeWith(options: Partial<S3BlobStoreOptions>): S3BlobStore {
  return new S3BlobStore({ ...optionsFor(engineOf(new FakeS3()), "p"), credentials, timer: instantly, ...options })
}

/** Fails unless it shows no credential and no signature, in any way in which an error is printed. */
function assertNoSecret(value: unknown): void {
  const shown = [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value)].join("\n")
  for (const secret of [...Object.values(credentials), "planted", "Signature=", "AWS4-HMAC"])
    expect(shown).not.toContain(secret)
}

async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!isTreelogError(error, "StorageError")) throw new Error(`No StorageError: ${inspect(error)}`)
  return error
}

/** An answer whose texts repeat all that was sent, as those of S3 do. */
function answerWith(status: number, code: string, extra: Record<string, string> = {}) {
  return async (url: unknown, init?: RequestInit) => {
    const sent = [...new Headers(init?.headers)].join("\n")
    const keys = Object.values(credentials).join(" ")
    const { body = "", ...headers } = extra
    const text = `<Error><Code>${code}</Code><Message>${keys}</Message><StringToSign>${sent} ${url}</StringToSign>${body}</Error>`
    return new Response(init?.method === "HEAD" ? null : text, { status, headers })
  }
}

const advice: [code: string, status: number, expected: RegExp, extra?: Record<string, string>][] = [
  ["AccessDenied", 403, /s3:PutObject, s3:GetObject and s3:ListBucket are needed/],
  ["InvalidAccessKeyId", 403, /Check `credentials`, and that they belong to this `endpoint`/],
  ["SignatureDoesNotMatch", 403, /The secret access key is wrong/],
  ["ExpiredToken", 400, /Pass `credentials` as a function/],
  ["InvalidToken", 400, /Pass `credentials` as a function/],
  ["NoSuchBucket", 404, /There is no bucket "blobs" at http:\/\/s3\.test\. Create it, or correct `bucket`/],
  [
    "PermanentRedirect",
    301,
    /in the region eu-west-3, not us-east-1\. Set `region`/,
    { "x-amz-bucket-region": "eu-west-3" },
  ],
  ["TemporaryRedirect", 307, /The bucket is at another endpoint/],
  [
    "AuthorizationHeaderMalformed",
    400,
    /in the region ap-south-1, not us-east-1/,
    { body: "<Region>ap-south-1</Region>" },
  ],
  [
    "RequestTimeTooSkewed",
    403,
    /The clock of this machine is \d+ s ahead of that of the store/,
    { date: "Fri, 24 May 2013 00:00:00 GMT" },
  ],
  ["RequestTimeTooSkewed", 403, /The clock of this machine differs from that of the store/],
  ["EntityTooLarge", 400, /larger than what the store accepts/],
  ["QuotaExceeded", 403, /quota/],
  ["InvalidObjectState", 403, /archived/],
  ["XMinioStorageFull", 507, /^.*: XMinioStorageFull \(HTTP 507\)\. See what the store documents/],
]

describe("an answer", () => {
  test.each(advice)("%s (%i) says what to do, and nothing secret", async (code, status, expected, extra) => {
    const store = storeWith({ fetch: answerWith(status, code, extra) })
    const methods = [() => store.put(bytes), () => store.get(HASH), () => store.size(HASH), () => store.list().next()]
    for (const method of methods) {
      const error = await failure(method())
      expect(error.data.errno).toBe(code)
      expect(error.message).toMatch(expected)
      expect(error.message).toContain("s3://blobs/p/")
      assertNoSecret(error)
    }
  })

  test.each([
    [403, "AccessDenied"],
    [301, "PermanentRedirect"],
    [418, "HTTP418"],
  ])("without a code (%i) counts as %s", async (status, errno) => {
    const error = await failure(storeWith({ fetch: async () => new Response("<html>", { status }) }).get(HASH))
    expect(error.data).toEqual({ key: `s3://blobs/p/${HASH}`, operation: "read", errno })
  })

  test("with a code that is none does not print it", async () => {
    const error = await failure(storeWith({ fetch: answerWith(418, "\u001b[31mAKIAPLANTED&#10;") }).get(HASH))
    expect(error.data.errno).toBe("HTTP418")
    assertNoSecret(error)
  })
})

describe("has and size", () => {
  test("distinguish a missing blob from a missing bucket", async () => {
    const fake = new FakeS3()
    const options = optionsFor(engineOf(fake), "p")
    expect(await new S3BlobStore(options).has(HASH)).toBe(false)
    const error = await failure(new S3BlobStore({ ...options, bucket: "another" }).has(HASH))
    expect(error.data.errno).toBe("NoSuchBucket")
  })

  test("report why the store refuses, which an answer to HEAD does not have", async () => {
    const fake = new FakeS3()
    const options = { ...optionsFor(engineOf(fake), "p"), credentials }
    expect((await failure(new S3BlobStore(options).has(HASH))).data.errno).toBe("InvalidAccessKeyId")
  })
})

describe("a fault of the connection", () => {
  const system = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" })
  const withRequest = Object.assign(new Error("failed"), { code: "EPROXY", request: { headers: credentials } })
  const faults: [what: string, fault: unknown, errno: string | undefined][] = [
    ["without a code", new TypeError("fetch failed", { cause: new Error("bad port") }), undefined],
    ["with the request", withRequest, "EPROXY"],
    ["of the system", new TypeError("fetch failed", { cause: system }), "ECONNREFUSED"],
    ["that repeats a header", new TypeError(`Headers.append: "${credentials.sessionToken}" is invalid`), undefined],
    ["that is no error", credentials, undefined],
    ["with a code that is none", Object.assign(new Error("x"), { code: credentials.secretAccessKey }), undefined],
  ]
  test.each(faults)("%s shows nothing secret", async (_, fault, errno) => {
    const error = await failure(storeWith({ fetch: () => Promise.reject(fault) }).put(bytes))
    expect(error.data.errno).toBe(errno)
    expect(error.message).toContain("http://s3.test")
    assertNoSecret(error)
  })

  test("is described by its innermost message", async () => {
    const fault = new TypeError("fetch failed", { cause: new Error("bad\u001b[31m port") })
    const error = await failure(storeWith({ fetch: () => Promise.reject(fault) }).get(HASH))
    expect(error.message).toMatch(/: no answer from http:\/\/s3\.test\. The connection failed: bad \[31m port$/)
  })

  test("that is a time limit has its own code", async () => {
    const fake = new FakeS3()
    fake.behaviour.fault = () => "hang"
    const error = await failure(storeWith({ fetch: fake.fetch, timeoutMs: 5 }).get(HASH))
    expect(error.data.errno).toBe("ETIMEDOUT")
    expect(error.message).toMatch(/raise `timeoutMs`/)
  })
})

describe("credentials", () => {
  const invalid = { code: "InvalidArgumentError", data: { argument: "credentials.sessionToken", value: undefined } }

  test("that cannot be sent are refused, and not repeated", async () => {
    const broken = { ...credentials, sessionToken: "planted\ntoken" }
    expect(() => storeWith({ credentials: broken })).toThrow(expect.objectContaining(invalid))
    const error = await storeWith({ credentials: async () => broken })
      .get(HASH)
      .catch((error) => error)
    expect(error).toMatchObject(invalid)
    assertNoSecret(error)
  })

  test("that are missing are named", () => {
    const broken = { accessKeyId: "", secretAccessKey: "x" }
    expect(() => storeWith({ credentials: broken })).toThrow("credentials.accessKeyId is missing.")
    expect(() => storeWith({ credentials: undefined as never })).toThrow("credentials.accessKeyId is missing.")
  })

  test("are asked for again for each request", async () => {
    const fake = new FakeS3()
    const { accessKeyId, secretAccessKey } = fake
    let asked = 0
    const store = storeWith({
      fetch: fake.fetch,
      credentials: () => ({ accessKeyId, secretAccessKey, ...{ asked: ++asked } }),
    })
    await store.put(bytes)
    expect(asked).toBe(fake.calls.length)
  })

  test("whose function fails: its error comes out", async () => {
    const fault = new Error("no metadata service")
    const store = storeWith({ credentials: () => Promise.reject(fault) })
    await expect(store.get(HASH)).rejects.toBe(fault)
  })

  test("are not shown with the store", () => {
    assertNoSecret(storeWith({}))
  })
})
