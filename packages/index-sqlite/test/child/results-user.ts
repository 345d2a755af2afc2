// Another process that keeps results: `node results-user.mjs keep <agentDir> <path>`. The result of a session is its text.
import { readFileSync } from "node:fs"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { FileSessionStorage } from "@treelog/storage-fs"

const [, agentDir = "", path = ""] = process.argv.slice(2)
const storage = new FileSessionStorage({ agentDir, cacheDir: null, terminalId: "test" })
const index = new SqliteSessionIndex({ storage, path, clock: { now: () => Date.now() + 60_000 } })
const results = index.results("text", "1")

let count = 0
for await (const { key } of storage.list()) {
  const stat = await storage.stat(key)
  if (!stat) continue
  const { known, keep } = await results.of(key, stat)
  if (known === undefined) await keep(readFileSync(key, "utf8"), stat)
  process.send?.(++count)
}
await index.close()
// The test ends it.
setInterval(() => {}, 1000)
