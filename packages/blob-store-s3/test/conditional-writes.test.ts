import { S3BlobStore } from "@treelog/blob-store-s3"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { expect, test } from "vitest"
import { engineOf, instantly, optionsFor } from "./engines.js"

const bytes = new TextEncoder().encode("blob")

function storeOn(fake: FakeS3): S3BlobStore {
  return new S3BlobStore({ ...optionsFor(engineOf(fake), "p"), timer: instantly })
}

const creates = (fake: FakeS3) => fake.calls.filter(({ headers }) => headers["if-none-match"] === "*")

test("A store that ignores If-None-Match is refused before any blob is written.", async () => {
  const fake = new FakeS3()
  fake.behaviour.ignoresConditions = true
  const error = await storeOn(fake)
    .put(bytes)
    .catch((error) => error)
  expect(error).toMatchObject({
    code: "StorageError",
    message:
      "Cannot put s3://blobs/p/.conditional-writes: ConditionalWritesIgnored: the store at http://s3.test cannot be used: it overwrote an object although the request had `If-None-Match: *`. Without this, writers replace what others stored. Use a store that honours conditional writes.",
    data: { key: "s3://blobs/p/.conditional-writes", operation: "put", errno: "ConditionalWritesIgnored" },
  })
  expect([...fake.objects.keys()]).toEqual(["p/.conditional-writes"])
})

test("So is one that does not know the header.", async () => {
  const fake = new FakeS3()
  fake.behaviour.fault = ({ headers }) =>
    headers["if-none-match"] === undefined ? undefined : { status: 501, code: "NotImplemented" }
  await expect(storeOn(fake).put(bytes)).rejects.toMatchObject({
    data: { errno: "ConditionalWritesIgnored" },
    message: expect.stringContaining("it does not know `If-None-Match: *`"),
  })
})

test("The test takes two requests the first time, one in a new process, and none later.", async () => {
  const fake = new FakeS3()
  const store = storeOn(fake)
  await store.put(bytes)
  expect(creates(fake).length).toBe(2 + 1)
  await store.put(new TextEncoder().encode("another"))
  expect(creates(fake).length).toBe(2 + 1 + 1)
  await storeOn(fake).put(new TextEncoder().encode("a third"))
  expect(creates(fake).length).toBe(2 + 1 + 1 + 1 + 1)
})

test("Reading needs no test, and so no permission to write.", async () => {
  const fake = new FakeS3()
  const store = storeOn(fake)
  expect(await store.get("0".repeat(64))).toBeUndefined()
  expect(creates(fake)).toEqual([])
})

test("A test that failed is made again by the next put.", async () => {
  const fake = new FakeS3()
  const store = storeOn(fake)
  fake.behaviour.fault = () => ({ status: 403, code: "AccessDenied" })
  await expect(store.put(bytes)).rejects.toMatchObject({ data: { errno: "AccessDenied" } })
  fake.behaviour.fault = () => undefined
  expect(await store.put(bytes)).toMatch(/^[0-9a-f]{64}$/)
})
