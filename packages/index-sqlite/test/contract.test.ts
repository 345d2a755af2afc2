import { join } from "node:path"
import { sessionIndexContract } from "@treelog/session-core/testing"
import { describe, it } from "vitest"
import { SqliteSessionIndex } from "../src/index.js"
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
