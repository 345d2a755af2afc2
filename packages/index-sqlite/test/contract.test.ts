import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { sessionIndexContract } from "@treelog-internal/test-kit/session-index"
import { describe, it } from "vitest"
import { tempFolder } from "./temp-folder.js"

sessionIndexContract(
  { describe, it },
  {
    name: "SqliteSessionIndex",
    setup: async (storage) => {
      const open = () => new SqliteSessionIndex({ storage, path: join(folder, "index.db") })
      const folder = tempFolder()
      const index = open()
      return { index, open, teardown: () => index.close() }
    },
    reopen: async ({ open }) => open(),
  },
)
