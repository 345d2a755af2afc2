import { createHash } from "node:crypto"
import { S3BlobStore } from "@treelog/blob-store-s3"
import { FakeS3, type S3Call, type S3Fault, serveS3 } from "@treelog-internal/test-kit/s3"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { engineOf, instantly, optionsFor, timerWith } from "./engines.js"

const bytes = new TextEncoder().encode("blob")
const hash = createHash("sha256").update(bytes).digest("hex")
const busy: S3Fault = { status: 503, code: "SlowDown" }

// Time passes only where a test lets it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

/** The request with this number fails. What is not answered is waited for as long as it takes, which is no time. */
function failingAt(fake: FakeS3, nth: number, fault: S3Fault): void {
  let seen = 0
  fake.behaviour.fault = () => {
    if (++seen !== nth) return undefined
    if (fault === "hang") setImmediate(() => vi.advanceTimersByTime(60_000))
    return fault
  }
}

/** Lets time pass until the work is done. */
async function passingTime<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  while (!isDone) {
    await new Promise(setImmediate)
    vi.advanceTimersByTime(10)
  }
  return work
}

/** A store whose pauses take no time, and the pauses. */
function storeOn(fake: FakeS3) {
  const pauses: number[] = []
  const sleep = async (ms: number) => void pauses.push(ms)
  return { store: new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), timer: timerWith(sleep) }), pauses }
}

/** Fails the first requests that match, so many of them. */
function failing(fake: FakeS3, count: number, fault: S3Fault, matches: (call: S3Call) => boolean = () => true): void {
  let left = count
  fake.behaviour.fault = (call) => (matches(call) && left-- > 0 ? fault : undefined)
}

const methods: Readonly<Record<string, (store: S3BlobStore) => Promise<unknown>>> = {
  put: (store) => store.put(bytes),
  get: (store) => store.get(hash),
  has: (store) => store.has(hash),
  size: (store) => store.size(hash),
  list: (store) => store.list().next(),
}
const faults: Readonly<Record<string, S3Fault>> = {
  "a broken connection": "drop-request",
  "a lost answer": "drop-answer",
  "no answer at all": "hang",
  "503 SlowDown": busy,
  "500 InternalError": { status: 500, code: "InternalError" },
  "429 TooManyRequests": { status: 429, code: "TooManyRequests" },
  "409 ConditionalRequestConflict": { status: 409, code: "ConditionalRequestConflict" },
  "400 RequestTimeout": { status: 400, code: "RequestTimeout" },
  "400 BadDigest": { status: 400, code: "BadDigest" },
}

describe.each(Object.entries(methods))("%s", (name, run) => {
  test.each(Object.entries(faults))("goes on after %s", async (_, fault) => {
    const fake = new FakeS3()
    const { store } = storeOn(fake)
    const expected = await run(storeOn(fake).store).then(() => run(store))
    // Each request fails once: what it answers the second time is what counts.
    for (let nth = 1; nth <= 8; nth++) {
      failingAt(fake, nth, fault)
      expect(await run(storeOn(fake).store)).toEqual(expected)
    }
  })

  test("fails with a typed error after five attempts", async () => {
    const fake = new FakeS3()
    const { store, pauses } = storeOn(fake)
    fake.behaviour.fault = () => busy
    await expect(run(store)).rejects.toMatchObject({
      code: "StorageError",
      message: expect.stringMatching(
        /: \w+ \(HTTP 503, request fake-\d+\)\. The store is overloaded or failing\. Try again later\.$/,
      ),
      // An answer to HEAD has no code.
      data: {
        errno: ["has", "size"].includes(name) ? "ServiceUnavailable" : "SlowDown",
        key: expect.stringContaining("s3://blobs/p/"),
      },
    })
    expect(fake.calls.length).toBe(5)
    for (const [index, longest] of [100, 400, 1_600, 5_000].entries()) {
      expect(pauses[index]).toBeLessThanOrEqual(longest)
      expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2)
    }
    expect(pauses.length).toBe(4)
  })
})

describe("put", () => {
  test("whose answer was lost stores the blob once, and succeeds", async () => {
    const fake = new FakeS3()
    const { store } = storeOn(fake)
    failing(fake, 1, "drop-answer", ({ url, method }) => method === "PUT" && url.pathname.endsWith(hash))
    expect(await store.put(bytes)).toBe(hash)
    expect([...fake.objects.keys()].sort()).toEqual(["p/.conditional-writes", `p/${hash}`])
  })

  test("makes a blob younger that is there already", async () => {
    const fake = new FakeS3()
    const { store } = storeOn(fake)
    await store.put(bytes)
    const before = fake.objects.get(`p/${hash}`)?.modified ?? 0
    for (const each of [store, storeOn(fake).store]) {
      fake.ahead += 60_000
      await each.put(bytes)
      expect(fake.objects.get(`p/${hash}`)?.modified).toBeGreaterThanOrEqual(before + fake.ahead)
    }
  })

  test("writes the bytes of a known blob no second time, and reads them once", async () => {
    const fake = new FakeS3()
    await storeOn(fake).store.put(bytes)
    const { store } = storeOn(fake)
    fake.calls.length = 0
    for (let time = 0; time < 3; time++) await store.put(bytes)
    const own = fake.calls.filter(({ url }) => url.pathname.endsWith(hash))
    expect(own.map(({ method, headers }) => `${method} ${headers["x-amz-copy-source"] ? "copy" : ""}`)).toEqual([
      "PUT ", // refused, since the object is there
      "GET ",
      "PUT copy",
      "PUT copy",
      "PUT copy",
    ])
  })

  test("keeps its own copy of a Buffer, and of each chunk that is one", async () => {
    const { store } = storeOn(new FakeS3())
    const buffer = Buffer.from(bytes)
    const putting = store.put(buffer)
    buffer.fill(0)
    expect(await putting).toBe(hash)
    const reused = Buffer.from("....")
    const chunks = async function* () {
      for (const text of ["bl", "ob"]) yield reused.subarray(0, reused.write(text))
    }
    expect(await store.put(chunks())).toBe(hash)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test("compares the bytes each time where the store reports no ETag", async () => {
    const fake = new FakeS3()
    const withoutEtag = async (...args: Parameters<typeof fetch>) => {
      const { status, headers, body } = await fake.fetch(...args)
      const text = headers.get("content-type") === "application/xml" ? await new Response(body).text() : undefined
      headers.delete("etag")
      return new Response(text?.replace(/<ETag>.*<\/ETag>/, "") ?? body, { status, headers })
    }
    const store = new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), fetch: withoutEtag })
    await store.put(bytes)
    fake.objects.set(`p/${hash}`, { bytes: bytes.slice(1), etag: "", modified: fake.now() })
    await store.put(bytes)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test("replaces damaged bytes, even if it has seen good ones before", async () => {
    const fake = new FakeS3()
    const { store } = storeOn(fake)
    await store.put(bytes)
    fake.objects.set(`p/${hash}`, { bytes: bytes.slice(1), etag: "another", modified: fake.now() })
    await store.put(bytes)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test("writes a blob again that somebody removed", async () => {
    const fake = new FakeS3()
    const { store } = storeOn(fake)
    await store.put(bytes)
    fake.objects.delete(`p/${hash}`)
    await store.put(bytes)
    expect(await store.get(hash)).toEqual(bytes)
  })

  test("is not misled by a copy that fails after its status was sent", async () => {
    const fake = new FakeS3()
    const { store } = storeOn(fake)
    await store.put(bytes)
    failing(fake, 1, { status: 200, code: "InternalError" }, ({ headers }) => "x-amz-copy-source" in headers)
    await store.put(bytes)
    failing(fake, 9, { status: 200, code: "InternalError" }, ({ headers }) => "x-amz-copy-source" in headers)
    await expect(store.put(bytes)).rejects.toMatchObject({ data: { errno: "InternalError" } })
  })

  test("waits as long as the store asks", async () => {
    const fake = new FakeS3()
    const { store, pauses } = storeOn(fake)
    failing(fake, 1, { status: 503, code: "SlowDown", headers: { "retry-after": "7" } })
    await store.put(bytes)
    expect(pauses).toEqual([7_000])
  })
})

test("get waits for as long as bytes arrive, and no longer", async () => {
  const text = new TextEncoder().encode("slowly")
  const slowHash = createHash("sha256").update(text).digest("hex")
  const fetchWith = (pauseMs: number) => async (_: unknown, init?: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason), { once: true })
        for (const byte of text) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
          if (init?.signal?.aborted) return
          controller.enqueue(Uint8Array.of(byte))
        }
        controller.close()
      },
    })
    return new Response(body)
  }
  const options = { ...optionsFor(engineOf(new FakeS3()), "p"), timer: instantly, timeoutMs: 200 }
  const slow = new S3BlobStore({ ...options, fetch: fetchWith(60) })
  expect(await passingTime(slow.get(slowHash))).toEqual(text)
  const stuck = new S3BlobStore({ ...options, timeoutMs: 20, fetch: fetchWith(200) })
  await expect(passingTime(stuck.get(slowHash))).rejects.toMatchObject({ data: { errno: "ETIMEDOUT" } })
})

test("get returns a blob that looks like an error of S3", async () => {
  const fake = new FakeS3()
  const { store } = storeOn(fake)
  const text = new TextEncoder().encode("<Error><Code>NoSuchKey</Code></Error>")
  expect(await store.get(await store.put(text))).toEqual(text)
})

test("size is an error where a proxy removes it", async () => {
  const fake = new FakeS3()
  await storeOn(fake).store.put(bytes)
  const withoutLength = async (...args: Parameters<typeof fetch>) => {
    const response = await fake.fetch(...args)
    response.headers.delete("content-length")
    return response
  }
  const store = new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), fetch: withoutLength })
  await expect(store.size(hash)).rejects.toMatchObject({ data: { errno: "UnexpectedAnswer", operation: "stat" } })
})

describe("an answer that is no list", () => {
  const answers: Readonly<Record<string, string>> = {
    "a page of a proxy": "<html>Sign in</html>",
    "a list that goes on without saying where": "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "keys that were not requested":
      "<ListBucketResult><Contents><Key>x</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>",
    "an object without a size":
      "<ListBucketResult><Contents><Key>p/x</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>",
    "a key with a wrong encoding":
      "<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>p/%E0</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>",
  }
  test.each(Object.entries(answers))("is an error: %s", async (_, text) => {
    const fetch = async () => new Response(text, { headers: { "content-type": "application/xml" } })
    const store = new S3BlobStore({ ...optionsFor(engineOf(new FakeS3()), "p"), fetch })
    await expect(store.list().next()).rejects.toMatchObject({
      code: "StorageError",
      data: { errno: "UnexpectedAnswer" },
    })
  })
})

describe("over HTTP", () => {
  let stop = async () => {}
  afterEach(() => stop())

  async function served() {
    const fake = new FakeS3()
    const server = await serveS3(fake)
    stop = server.stop
    const { fetch: _, ...options } = optionsFor(engineOf(fake), "p")
    return {
      fake,
      store: new S3BlobStore({ ...options, endpoint: server.endpoint, timer: instantly }),
    }
  }

  test("puts, reads and lists blobs, of no byte and of 20 MB", async () => {
    const { store } = await served()
    for (const size of [0, 1, 20_000_000]) {
      const blob = new Uint8Array(size).fill(7)
      const hash = await store.put(blob)
      expect(await store.put(blob)).toBe(hash)
      expect(Buffer.compare((await store.get(hash)) ?? new Uint8Array(1), blob)).toBe(0)
      expect(await store.size(hash)).toBe(size)
    }
    const sizes: number[] = []
    for await (const { size } of store.list()) sizes.push(size)
    expect(sizes.sort()).toEqual([0, 1, 20_000_000])
  })

  test.each(["drop-request", "drop-answer", "hang"] as const)("goes on after %s", async (fault) => {
    const { fake, store } = await served()
    for (let nth = 1; nth <= 4; nth++) {
      failingAt(fake, nth, fault)
      const blob = new Uint8Array([nth])
      expect(await store.get(await store.put(blob))).toEqual(blob)
    }
  })

  test("names the connection's fault when nothing listens", async () => {
    const { store } = await served()
    await stop()
    await expect(store.put(bytes)).rejects.toMatchObject({
      code: "StorageError",
      data: { errno: "ECONNREFUSED" },
      message: expect.stringMatching(
        /ECONNREFUSED from http:\/\/127\.0\.0\.1:\d+\. Nothing listens there\. Check `endpoint`/,
      ),
    })
  })
})
