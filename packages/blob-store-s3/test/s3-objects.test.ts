import { S3Objects } from "@treelog/blob-store-s3"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import { expect, test } from "vitest"

function scene() {
  const fake = new FakeS3()
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = fake
  const credentials = { accessKeyId, secretAccessKey }
  const objects = new S3Objects({ endpoint, region, bucket, prefix: "a b/ü", credentials, fetch: fake.fetch })
  return { fake, objects }
}

test("stores, replaces, lists and removes objects by their names, below the prefix", async () => {
  const { fake, objects } = scene()
  expect(objects.name).toBe("s3://blobs/a b/ü")
  expect(await objects.read("files/x")).toBeUndefined()
  for (const text of ["one", "two"]) await objects.write("files/x", Buffer.from(text))
  await objects.write("files/y.1", Buffer.from(""))
  await objects.write("owner", Buffer.from("me"))
  expect(Buffer.from((await objects.read("files/x")) ?? []).toString()).toBe("two")
  const names: string[] = []
  for await (const name of objects.list("files/")) names.push(name)
  expect(names.sort()).toEqual(["x", "y.1"])
  expect([...fake.objects.keys()].sort()).toEqual(["a b/ü/files/x", "a b/ü/files/y.1", "a b/ü/owner"])
  await objects.remove("files/x")
  await objects.remove("files/x")
  expect(await objects.read("files/x")).toBeUndefined()
})

test("a bucket that is not there, and one that refuses, are errors, not empty", async () => {
  const { fake, objects } = scene()
  fake.behaviour.fault = () => ({ status: 403, code: "AccessDenied" })
  const asked = [() => objects.read("x"), () => objects.write("x", Buffer.from("")), () => objects.remove("x")]
  for (const ask of asked)
    await expect(ask()).rejects.toMatchObject({ code: "StorageError", data: { errno: "AccessDenied" } })
  fake.behaviour.fault = () => ({ status: 404, code: "NoSuchBucket" })
  await expect(objects.read("x")).rejects.toMatchObject({ code: "StorageError", data: { errno: "NoSuchBucket" } })
})
