// Compacts a session once a round, at the same moment as others do. Prints when it has a plan, waits for all of them to have one, and
// prints what became of it.
import { existsSync, writeSync } from "node:fs"
import { compact, type Summarizer } from "@treelog/session-core/compaction"
import { sleep } from "../children.js"
import { managerIn } from "../store.js"

const [signals = "", folder = "", key = "", rounds = "1"] = process.argv.slice(2)
for (let round = 0; round < Number(rounds); round++) {
  await waitFor(`begin-${round}`)
  const session = await managerIn(folder).open(key, { access: "shared", busyTimeoutMs: 300_000 })
  const summarize: Summarizer = async () => {
    writeSync(1, "planned\n")
    await waitFor(`go-${round}`)
    return { text: `Round ${round}.` }
  }
  const { status } = await compact(session, summarize, { settings: { keepRecentTokens: 1 } })
  await session.close()
  writeSync(1, `${status}\n`)
}

async function waitFor(signal: string): Promise<void> {
  while (!existsSync(`${signals}/${signal}`)) await sleep(1)
}
