import { MemoryBlobStore } from "@treelog/session-core"
import { blobStoreContract } from "@treelog/session-core/testing"
import { describe, expect, it } from "vitest"

blobStoreContract(
  { describe, it },
  {
    name: "MemoryBlobStore",
    setup: async () => ({ store: new MemoryBlobStore(), teardown: async () => {} }),
  },
)

describe("MemoryBlobStore", () => {
  it("reports by its clock when a blob was stored, or put again", async () => {
    let now = Date.UTC(2026, 2, 7)
    const store = new MemoryBlobStore({ clock: { now: () => now } })
    const times: number[] = []
    for (let count = 0; count < 2; count++, now += 1000) {
      await store.put(new Uint8Array([1, 2, 3]))
      for await (const { modified } of store.list()) times.push(modified)
    }
    expect(times).toEqual([now - 2000, now - 1000])
  })

  it("names blobs by the digest it was given", async () => {
    const hash = "ab".repeat(32)
    const store = new MemoryBlobStore({ digest: { sha256: async () => hash } })
    expect(await store.put(new Uint8Array(1))).toBe(hash)
    expect(await store.get(hash)).toEqual(new Uint8Array(1))
  })
})
