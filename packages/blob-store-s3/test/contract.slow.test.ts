import { blobStoreContract } from "@treelog/session-core/testing"
import { FakeS3, type S3Behaviour } from "@treelog-internal/test-kit/s3"
import { describe, it } from "vitest"
import { S3BlobStore, type S3BlobStoreOptions } from "../src/index.js"
import { ask, type Engine, engineOf, engines, newPrefix, optionsFor } from "./engines.js"

function fakeWith(name: string, behaviour: Partial<S3Behaviour>): Engine {
  const fake = new FakeS3()
  Object.assign(fake.behaviour, behaviour)
  return { ...engineOf(fake), name }
}

const candidates: [Engine, Partial<S3BlobStoreOptions>][] = [
  ...(await engines()).map((engine): [Engine, object] => [engine, {}]),
  [fakeWith("a fake with pages of two keys", { pageSize: 2 }), {}],
  [fakeWith("a fake with ETags without quotes", { quotesEtags: false }), {}],
  [fakeWith("a fake that gives copies another ETag", { copiesGetNewEtags: true }), {}],
  [fakeWith("a fake with the bucket in the host", {}), { addressing: "virtual-host" }],
]

for (const [engine, options] of candidates) {
  blobStoreContract(
    { describe, it },
    {
      name: `S3BlobStore on ${engine.name}`,
      setup: async () => {
        const prefix = newPrefix()
        const make = () => new S3BlobStore({ ...optionsFor(engine, prefix), ...options })
        return { prefix, make, store: make(), teardown: async () => {} }
      },
      reopen: async ({ make }) => make(),
      damage: async ({ prefix }, hash) => {
        const { bytes } = await ask(engine, "GET", `${prefix}/${hash}`)
        bytes[0] = (bytes[0] ?? 0) ^ 1
        await ask(engine, "PUT", `${prefix}/${hash}`, { body: bytes })
      },
    },
  )
}
