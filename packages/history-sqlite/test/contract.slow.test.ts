import { join } from "node:path"
import type { PromptHistoryOptions } from "@treelog/session-core/prompt-history"
import { promptHistoryContract } from "@treelog/session-core/testing"
import { describe, it } from "vitest"
import { SqlitePromptHistory } from "../src/index.js"
import { tempFolder } from "./temp-folder.js"

promptHistoryContract(
  { describe, it },
  {
    name: "SqlitePromptHistory",
    durable: true,
    setup: async (options: PromptHistoryOptions) => {
      const path = join(tempFolder(), "history.db")
      const open = () => new SqlitePromptHistory({ path, ...options })
      return { history: open(), reopen: async () => open(), teardown: async () => {} }
    },
  },
)
