import { MemorySessionIndex } from "@treelog/session-core/search"
import { sessionIndexContract } from "@treelog-internal/test-kit/session-index"
import { describe, it } from "vitest"

sessionIndexContract(
  { describe, it },
  {
    name: "MemorySessionIndex",
    setup: async (storage) => ({ index: new MemorySessionIndex(storage), teardown: async () => {} }),
  },
)
