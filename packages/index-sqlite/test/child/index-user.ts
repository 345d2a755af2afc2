// Another process that uses an index: `node index-user.mjs <task> <agentDir> <path>`.

import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { FileSessionStorage } from "@treelog/storage-fs"

const [task, agentDir = "", path = ""] = process.argv.slice(2)
const storage = new FileSessionStorage({ agentDir, cacheDir: null, terminalId: "test" })
const index = new SqliteSessionIndex({ storage, path })
const report = (text: string) => new Promise<void>((resolve) => process.send?.(text, () => resolve()))

await report("started")
const { done, failed } = await index.update({ onProgress: ({ done }) => process.send?.(done) })
await index.close()
await report(`${done} ${failed.length}`)
if (task === "update once") process.disconnect()
