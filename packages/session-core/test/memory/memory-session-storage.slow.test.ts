import { MemorySessionStorage } from "@treelog/session-core"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "vitest"

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
