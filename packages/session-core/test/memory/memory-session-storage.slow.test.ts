import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"
import { MemorySessionStorage } from "../../src/memory/memory-session-storage.js"
import { sessionStorageContract } from "../../src/testing/index.js"

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
