import { S3BlobStore } from "@treelog/blob-store-s3"
import { isTreelogError } from "@treelog/session-core"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { elementsOf, listObjects, S3Client } from "./door.js"
import { engineOf, instantly, optionsFor } from "./engines.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)

let fake: FakeS3
/** Changes the bodies of the answers to requests of this method, if it is set. */
let change: { method: string; body: (bytes: Uint8Array) => ConstructorParameters<typeof Response>[0] } | undefined

beforeEach(() => {
  fake = new FakeS3()
  change = undefined
})
afterEach(() => vi.restoreAllMocks())

const changing: typeof fetch = async (url, init) => {
  const answer = await fake.fetch(url, init)
  if (change === undefined || init?.method !== change.method || answer.status !== 200) return answer
  const body = change.body(new Uint8Array(await answer.arrayBuffer()))
  const headers = new Headers(answer.headers)
  headers.delete("content-length")
  return new Response(body, { status: 200, headers })
}

const options = () => ({ ...optionsFor(engineOf(fake), "p"), fetch: changing, timer: instantly })

async function hashesIn(store: S3BlobStore): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of store.list()) hashes.push(hash)
  return hashes.sort()
}

/** What a call gives; of an error, that it is one of ours. */
async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work()
  } catch (error) {
    if (!isTreelogError(error, "StorageError") && !isTreelogError(error, "BlobDamagedError")) throw error
    return "error"
  }
}

describe("whatever becomes of an answer, the result is right or an error", () => {
  const calls: [name: string, method: string, call: (store: S3BlobStore, hash: string) => Promise<unknown>][] = [
    ["list", "GET", (store) => hashesIn(store)],
    ["get", "GET", async (store, hash) => new TextDecoder().decode(await store.get(hash))],
    ["put, which copies what is there", "PUT", (store) => store.put(bytesOf("one"))],
    [
      "a dry sweep",
      "GET",
      async (store) => (await store.sweep({ referenced: () => new Set(["0".repeat(64)]), graceMs: 0 })).swept.count,
    ],
  ]
  test.each(calls)("%s", async (_, method, call) => {
    const first = new S3BlobStore(options())
    const hash = await first.put(bytesOf("one"))
    for (const text of ["two", "three"]) await first.put(bytesOf(text))
    const right = await call(new S3BlobStore(options()), hash)
    let length = 0
    change = {
      method,
      body: (bytes) => {
        length = Math.max(length, bytes.length)
        return bytes as Uint8Array<ArrayBuffer>
      },
    }
    await call(new S3BlobStore(options()), hash)
    expect(length).toBeGreaterThan(2)
    for (let at = 0; at < length; at++) {
      change = { method, body: (bytes) => bytes.slice(0, at) }
      expect(["error", right], `cut at ${at}`).toContainEqual(
        await outcome(() => call(new S3BlobStore(options()), hash)),
      )
    }
    change = { method, body: (bytes) => Buffer.concat([bytes, bytes]) }
    expect(["error", right], "doubled").toContainEqual(await outcome(() => call(new S3BlobStore(options()), hash)))
  })
})

test("a list that is cut is an error, and so is one that follows another", async () => {
  const store = new S3BlobStore(options())
  await store.put(bytesOf("one"))
  for (const body of [
    (bytes: Uint8Array) => bytes.slice(0, -3),
    (bytes: Uint8Array) => Buffer.concat([bytes, bytes]),
  ]) {
    change = { method: "GET", body }
    await expect(hashesIn(store)).rejects.toMatchObject({ code: "StorageError", data: { errno: "UnexpectedAnswer" } })
  }
})

test("an answer without end is an error once it has more bytes than the documented limit", async () => {
  const store = new S3BlobStore(options())
  await store.put(bytesOf("one"))
  const piece = new Uint8Array(1024 * 1024)
  let sent = 0
  change = {
    method: "GET",
    body: () =>
      new ReadableStream({
        pull(controller) {
          sent += piece.length
          controller.enqueue(piece)
        },
      }),
  }
  await expect(hashesIn(store)).rejects.toMatchObject({ code: "StorageError", data: { errno: "AnswerTooLarge" } })
  // Once: it would not become shorter.
  expect(sent).toBeLessThan(32 * 1024 * 1024)
})

test("a list whose pages have no end is an error", async () => {
  let pages = 0
  const body = () =>
    bytesOf(
      `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${++pages}</NextContinuationToken></ListBucketResult>`,
    )
  change = { method: "GET", body }
  const listing = async () => {
    for await (const _ of listObjects(new S3Client(options()), "", "list", 50));
  }
  await expect(listing()).rejects.toMatchObject({ code: "StorageError", data: { errno: "UnexpectedAnswer" } })
  expect(pages).toBe(51)
})

test("elements are found in one pass, also where none is closed", () => {
  const { indexOf } = String.prototype
  const work = [1000, 2000].map((count) => {
    let units = 0
    vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, sought, from = 0) {
      const at = indexOf.call(this, sought, from)
      units += (at === -1 ? this.length : at) - from
      return at
    })
    expect([...elementsOf("<Contents>".repeat(count), "Contents")]).toEqual([])
    expect([...elementsOf("<Key>a</Key>".repeat(count), "Key")]).toHaveLength(count)
    vi.restoreAllMocks()
    return units
  })
  expect(work[1]).toBeLessThan((work[0] ?? 0) * 2.1)
})
