import { describe, it } from "vitest"
import { MemoryPromptHistory } from "../../src/memory/memory-prompt-history.js"
import { promptHistoryContract } from "../../src/testing/index.js"

const MINUTE = 60_000

promptHistoryContract(
  {
    describe,
    it: Object.assign((name: string, body: () => Promise<void>) => it(name, body, MINUTE), { skip: it.skip }),
  },
  {
    name: "MemoryPromptHistory",
    durable: false,
    setup: async (options) => ({ history: new MemoryPromptHistory(options), teardown: async () => {} }),
  },
)
