// Another process that uses a history: `node history-user.mjs <task> <path> <name> <times>`.
import { setTimeout as sleep } from "node:timers/promises"
import { SqlitePromptHistory } from "@treelog/history-sqlite"
import Database from "better-sqlite3"

const [task, path = "", name = "", times = "1"] = process.argv.slice(2)
const history = new SqlitePromptHistory({ path, ignore: { secrets: false } })
/** Resolves when the message has left: a loop that only awaits what is done already would never let it. */
const tell = (text: string) => new Promise<void>((resolve) => process.send?.(text, () => resolve()))
const count = Number(times)

if (task === "add") {
  for (let number = 0; number < count; number++) {
    history.add(`prompt ${number} of ${name}`, { cwd: `/home/user/${name}`, sessionId: name })
    if (number % 10 === 0) await history.flush()
  }
  await history.close()
  await tell("done")
} else if (task === "add until killed") {
  for (let number = 0; ; number++) {
    history.add(`prompt ${number} of ${name}`)
    await history.flush()
    await tell(String(number))
  }
} else if (task === "search until killed") {
  for (;;) {
    const found = await history.search("prompt of", { limit: 100_000 })
    const recent = await history.recent({ limit: 10 })
    await tell(`${found.length} ${recent.length}`)
  }
} else if (task === "add and move the log until killed") {
  const db = new Database(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE history (id INTEGER PRIMARY KEY, prompt TEXT NOT NULL, created_at INTEGER NOT NULL);
    CREATE INDEX prompts ON history(prompt);`)
  const insert = db.prepare("INSERT INTO history(prompt, created_at) VALUES (?, ?)")
  for (let number = 0; ; number++) {
    insert.run(`${number * 7919} `.repeat(1 + (number % 50)), number)
    if (number % 20 === 0) await sleep(5)
    if (number === 200) await tell("begun")
  }
} else if (task === "delete until killed") {
  const prompts = Array.from({ length: count }, (_, at) => ({ text: `secret${at}x of ${name}`, createdAt: at * 1000 }))
  await history.import(prompts)
  for (let number = 0; number < count; number++) {
    await history.delete({ query: `secret${number}x` })
    await tell(String(number))
  }
}
