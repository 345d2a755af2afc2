import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { webDigest } from "@treelog/session-core/adapter"
import { blobStoreContract } from "@treelog/session-core/testing"
import { describe, it } from "vitest"
import { FileBlobStore, type FileBlobStoreOptions } from "../src/index.js"

const kinds: Record<string, FileBlobStoreOptions> = {
  FileBlobStore: {},
  "FileBlobStore with WebCrypto's digest": { digest: webDigest },
}

for (const [name, options] of Object.entries(kinds)) {
  blobStoreContract(
    { describe, it },
    {
      name,
      setup: async () => {
        const dir = await mkdtemp(join(tmpdir(), "treelog-contract-"))
        const folder = join(dir, "agent", "blobs")
        return {
          folder,
          store: new FileBlobStore(folder, options),
          teardown: () => rm(dir, { recursive: true, force: true }),
        }
      },
      reopen: async ({ folder }) => new FileBlobStore(folder, options),
      damage: ({ folder }, hash) => flipFirstByte(join(folder, hash)),
    },
  )
}

async function flipFirstByte(path: string): Promise<void> {
  const file = await open(path, "r+")
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, 0)
  await file.close()
}
