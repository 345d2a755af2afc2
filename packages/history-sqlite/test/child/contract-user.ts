// Runs the contract suite on the SQLite that its runtime includes, and prints what came of it as JSON: `node contract-user.mjs <folder>`.
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { promptHistoryContract } from "@treelog/session-core/testing"
import { includedDriver } from "@treelog-internal/sqlite"
import { PlainRunner } from "@treelog-internal/test-kit/runtimes"
import { SqlitePromptHistory } from "../../src/index.js"

const [folder = ""] = process.argv.slice(2)
const driver = includedDriver()
if (driver === undefined) throw new Error("This runtime includes no SQLite with full-text search.")

const runner = new PlainRunner()
promptHistoryContract(runner, {
  name: "SqlitePromptHistory",
  durable: true,
  setup: async (options) => {
    const path = join(mkdtempSync(join(folder, "test-")), "history.db")
    const open = () => new SqlitePromptHistory({ path, loadDriver: async () => driver, ...options })
    return { history: open(), reopen: async () => open(), teardown: async () => {} }
  },
})
process.stdout.write(JSON.stringify({ driver: driver.name, ...(await runner.run()) }))
