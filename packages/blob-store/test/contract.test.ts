import { mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobStore } from "@treelog/blob-store"
import { blobStoreContract } from "@treelog/session-core/testing"
import { describe, it } from "vitest"

blobStoreContract(
  { describe, it },
  {
    name: "FileBlobStore",
    setup: async () => {
      const dir = await mkdtemp(join(tmpdir(), "treelog-contract-"))
      const folder = join(dir, "agent", "blobs")
      const teardown = () => rm(dir, { recursive: true, force: true })
      return { folder, store: new FileBlobStore(folder), teardown }
    },
    reopen: async ({ folder }) => new FileBlobStore(folder),
    damage: ({ folder }, hash) => flipFirstByte(join(folder, hash)),
  },
)

async function flipFirstByte(path: string): Promise<void> {
  const file = await open(path, "r+")
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, 0)
  await file.close()
}
