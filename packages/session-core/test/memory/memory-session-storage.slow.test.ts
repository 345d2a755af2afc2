import { MemorySessionStorage } from "@treelog/session-core"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, expect, it } from "vitest"

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

// Slow, as the contract of the one with leases that lapse has all of these tests.
sessionStorageContract(
  { describe, it },
  {
    name: "MemorySessionStorage",
    example: new MemorySessionStorage(),
    losesAnswers: true,
    setup: async () => ({ ...losingNextAnswer(new MemorySessionStorage({ sleep })), teardown: async () => {} }),
  },
)

it("appends ten thousand times without copying what is stored each time", async () => {
  const storage = new MemorySessionStorage()
  const lease = await storage.lease("memory:/home/user/project/0123", { access: "exclusive", waitMs: 0 })
  let stat = await lease.create([])
  const line = new Uint8Array(5000).fill(7)
  for (let count = 0; count < 10_000; count++) stat = await lease.append(line, stat)
  expect(stat.size).toBe(50_000_000)
  expect(await storage.readRange(lease.key, 49_999_999, 10)).toEqual(new Uint8Array([7]))
})
