// Runs the contract suite on the SQLite that its runtime includes, and prints what came of it as JSON: `node contract-user.mjs <folder>`.
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { sessionIndexContract } from "@treelog/session-core/testing"
import { includedDriver } from "@treelog-internal/sqlite"
import { PlainRunner } from "@treelog-internal/test-kit/runtimes"
import { SqliteSessionIndex } from "../../src/index.js"

const [folder = ""] = process.argv.slice(2)
const driver = includedDriver()
if (driver === undefined) throw new Error("This runtime includes no SQLite with full-text search.")

const runner = new PlainRunner()
sessionIndexContract(runner, {
  name: "SqliteSessionIndex",
  setup: async (storage) => {
    const path = join(mkdtempSync(join(folder, "test-")), "index.db")
    const open = () => new SqliteSessionIndex({ storage, path, loadDriver: async () => driver })
    const index = open()
    return { index, open, teardown: () => index.close() }
  },
  reopen: async ({ open }) => open(),
})
process.stdout.write(JSON.stringify({ driver: driver.name, ...(await runner.run()) }))
