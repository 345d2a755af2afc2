import { S3BlobStore, type S3BlobStoreOptions } from "@treelog/blob-store-s3"
import { blobStoreContract } from "@treelog/session-core/testing"
import { FakeS3, type S3Behaviour } from "@treelog-internal/test-kit/s3"
import { describe, it } from "vitest"
import { ask, type Engine, engineOf, engines, newPrefix, optionsFor } from "./engines.js"

function fakeWith(name: string, behaviour: Partial<S3Behaviour>): Engine {
  const fake = new FakeS3()
  Object.assign(fake.behaviour, behaviour)
  return { ...engineOf(fake), name }
}

const candidates: [Engine, Partial<S3BlobStoreOptions>][] = [
  ...(await engines()).map((engine): [Engine, object] => [engine, {}]),
  [
    // Pages of two keys, ETags without quotes, other ones for copies, and the bucket in the host.
    fakeWith("a fake that differs", { pageSize: 2, quotesEtags: false, copiesGetNewEtags: true }),
    { addressing: "virtual-host" },
  ],
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
