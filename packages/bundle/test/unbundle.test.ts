import { createReadStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { unbundle } from "@treelog/bundle"
import { MemorySessionStorage } from "@treelog/session-core"
import { nodeFs } from "@treelog/storage-fs"
import { expect, onTestFinished, test } from "vitest"

const to = { to: new MemorySessionStorage(), blobs: undefined }

async function all(input: AsyncIterable<Uint8Array>, options: Partial<Parameters<typeof unbundle>[1]> = {}) {
  for await (const _ of unbundle(input, { ...to, ...options }));
}

test("a stream of a file that is not there rejects, and does not end the process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "treelog-unbundle-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  // The error comes before the folder for the unpacked files is made.
  const slow = {
    ...nodeFs,
    mkdir: async (...args: Parameters<typeof nodeFs.mkdir>) => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return nodeFs.mkdir(...args)
    },
  }
  await expect(all(createReadStream(join(folder, "none")), { fs: slow })).rejects.toMatchObject({ code: "ENOENT" })
})

test("what was read is closed where the bundle is damaged, and where nothing can be unpacked", async () => {
  const damaged = Readable.from([Buffer.from("no bundle at all")])
  await expect(all(damaged)).rejects.toMatchObject({ code: "BundleError" })
  const unread = Readable.from([Buffer.from("no bundle"), Buffer.from(" at all")])
  await expect(all(unread, { stagingDir: join(import.meta.filename, "no folder") })).rejects.toMatchObject({
    code: "StorageError",
  })
  expect([damaged.destroyed, unread.destroyed]).toEqual([true, true])
})
