import { describe, it } from "vitest"
import { MemorySessionIndex } from "../../src/search.js"
import { sessionIndexContract } from "../../src/testing/index.js"

sessionIndexContract(
  { describe, it },
  {
    name: "MemorySessionIndex",
    setup: async (storage) => ({ index: new MemorySessionIndex(storage), teardown: async () => {} }),
  },
)
