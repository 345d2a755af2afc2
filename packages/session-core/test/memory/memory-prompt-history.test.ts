import { describe, it } from "vitest"
import { MemoryPromptHistory } from "../../src/memory/memory-prompt-history.js"
import { promptHistoryContract } from "../../src/testing/index.js"

promptHistoryContract(
  { describe, it },
  {
    name: "MemoryPromptHistory",
    durable: false,
    setup: async (options) => ({ history: new MemoryPromptHistory(options), teardown: async () => {} }),
  },
)
