import { MemorySessionStorage } from "@treelog/session-core"
import { sessionStorageContract } from "@treelog/session-core/testing"
import { losingNextAnswer } from "@treelog-internal/test-kit"
import { describe, it } from "./page-runner.js"

sessionStorageContract(
  { describe, it },
  {
    name: "MemorySessionStorage",
    example: new MemorySessionStorage(),
    losesAnswers: true,
    setup: async () => ({
      ...losingNextAnswer(
        new MemorySessionStorage({ sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }),
      ),
      teardown: async () => {},
    }),
  },
)
