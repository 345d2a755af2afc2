import { S3BlobStore } from "@treelog/blob-store-s3"
import { tries } from "@treelog-internal/test-kit"
import { FakeS3 } from "@treelog-internal/test-kit/s3"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { engineOf, optionsFor } from "./engines.js"

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
const awkward = fc.constantFrom(
  " ",
  "+",
  "%",
  "%2e",
  "%2F",
  "...",
  "~",
  "a b",
  "'()*!",
  "?x=1",
  "#",
  "&amp;",
  "\\",
  "ü",
  "日本",
)
const part = fc
  .oneof(text, awkward)
  .map((part) => part.replaceAll("/", ""))
  .filter((part) => part !== "" && part !== "." && part !== "..")
const prefixes = fc.array(part, { maxLength: 3 }).map((parts) => parts.join("/"))

async function listed(store: S3BlobStore): Promise<string[]> {
  const hashes: string[] = []
  for await (const { hash } of store.list()) hashes.push(hash)
  return hashes.sort()
}

describe("any prefix", () => {
  test.each(["path", "virtual-host"] as const)(
    "is signed, stored under and listed, with addressing %s",
    async (addressing) => {
      await fc.assert(
        fc.asyncProperty(prefixes, async (prefix) => {
          // The fake verifies each signature with code of its own.
          const fake = new FakeS3()
          const store = new S3BlobStore({ ...optionsFor(engineOf(fake), prefix), addressing })
          const bytes = new TextEncoder().encode(prefix)
          const hash = await store.put(bytes)
          await store.put(bytes)
          expect(fake.objects.has(prefix === "" ? hash : `${prefix}/${hash}`)).toBe(true)
          expect(await store.get(hash)).toEqual(bytes)
          expect(await store.size(hash)).toBe(bytes.length)
          expect(await listed(store)).toEqual([hash])
        }),
        { numRuns: tries(20) },
      )
    },
  )

  test("that a URL would resolve is refused", () => {
    const options = optionsFor(engineOf(new FakeS3()), "")
    for (const prefix of [".", "..", "a/../b", "a/./b", "/a", "a/", "a//b", "\ud800"])
      expect(() => new S3BlobStore({ ...options, prefix })).toThrow(
        expect.objectContaining({ code: "InvalidArgumentError" }),
      )
  })
})

describe("list", () => {
  test("has every blob and no other object, whatever the pages are", async () => {
    const hash = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 })
    const other = fc.oneof(
      hash.map((name) => `${name}.png`),
      hash.map((name) => `below/${name}`),
      text,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hash, { maxLength: 12 }),
        fc.array(other, { maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        async (hashes, others, pageSize) => {
          const fake = new FakeS3()
          fake.behaviour.pageSize = pageSize
          const object = { bytes: new Uint8Array(3), etag: "etag", modified: 1_000 }
          for (const name of [...hashes, ...others]) fake.objects.set(`p/${name}`, object)
          for (const name of hashes) fake.objects.set(`pp/${name}`, object)
          const store = new S3BlobStore(optionsFor(engineOf(fake), "p"))
          expect(await listed(store)).toEqual([...hashes].sort())
        },
      ),
      { numRuns: tries(20) },
    )
  })
})
