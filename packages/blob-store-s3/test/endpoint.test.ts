import { inspect } from "node:util"
import { S3BlobStore, type S3BlobStoreOptions } from "@treelog/blob-store-s3"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { describe, expect, test } from "vitest"
import { engineOf, instantly, optionsFor } from "./engines.js"

const bytes = new TextEncoder().encode("blob")
const HASH = "0123456789abcdef".repeat(4)

function storeOn(fake: FakeS3, options: Partial<S3BlobStoreOptions> = {}): S3BlobStore {
  return new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), timer: instantly, ...options })
}

describe.each([
  ["path", "http://s3.test"],
  ["virtual-host", "http://blobs.s3.test"],
] as const)("with addressing %s", (addressing, origin) => {
  test("every request goes to the endpoint", async () => {
    const fake = new FakeS3()
    const store = storeOn(fake, { addressing })
    const hash = await store.put(bytes)
    await store.put(bytes)
    await store.get(hash)
    await store.has(HASH)
    for await (const { hash } of store.list()) expect(hash).toMatch(/^[0-9a-f]{64}$/)
    await store.sweep({ referenced: () => new Set([HASH]), graceMs: 0, apply: true })
    expect(new Set(fake.calls.map(({ url }) => url.origin))).toEqual(new Set([origin]))
  })
})

test("No request is sent before a method is called.", () => {
  const fake = new FakeS3()
  storeOn(fake)
  expect(fake.calls).toEqual([])
})

test("A redirect is not followed.", async () => {
  const asked: string[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push(`${init?.redirect} ${new URL(String(url)).origin}`)
    return new Response("", { status: 307, headers: { location: "http://elsewhere.test/" } })
  }
  await expect(storeOn(new FakeS3(), { fetch }).put(bytes)).rejects.toMatchObject({
    data: { errno: "PermanentRedirect" },
  })
  expect(asked).toEqual(["manual http://s3.test"])
})

test("A path of the endpoint is kept.", async () => {
  const asked: string[] = []
  const fetch = async (url: unknown) => {
    asked.push(String(url))
    return new Response("", { status: 403 })
  }
  const store = storeOn(new FakeS3(), { fetch, endpoint: "https://host.test:8443/storage/v1/s3/" })
  await expect(store.get(HASH)).rejects.toMatchObject({ data: { errno: "AccessDenied" } })
  expect(asked).toEqual([`https://host.test:8443/storage/v1/s3/blobs/p/${HASH}`])
})

describe("an option is refused", () => {
  const cases: [what: string, options: Partial<S3BlobStoreOptions>, argument: string][] = [
    ["an endpoint that is no URL", { endpoint: "planted" }, "endpoint"],
    ["an endpoint of another protocol", { endpoint: "ftp://user:planted@host" }, "endpoint"],
    ["an endpoint with a password", { endpoint: "https://planted:planted@host.test" }, "endpoint"],
    ["an endpoint with a query", { endpoint: "https://host.test/?X-Amz-Signature=planted" }, "endpoint"],
    ["a bucket that is a path", { bucket: "../x" }, "bucket"],
    ["no bucket", { bucket: "" }, "bucket"],
    ["a bucket that a variable did not name", { bucket: undefined as unknown as string }, "bucket"],
    ["another addressing", { addressing: "dns" as "path" }, "addressing"],
    [
      "a bucket that no certificate covers",
      { bucket: "a.b", addressing: "virtual-host", endpoint: "https://h.test" },
      "bucket",
    ],
    ["a region that would break the signature", { region: "eu/west" }, "region"],
  ]
  test.each(cases)("%s", (_, options, argument) => {
    let thrown: unknown
    try {
      storeOn(new FakeS3(), options)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: "InvalidArgumentError", data: { argument } })
    expect(inspect(thrown)).not.toContain("planted")
  })
})
