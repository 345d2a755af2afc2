import { createHash } from "node:crypto"
import { createReadStream, readFileSync } from "node:fs"
import { loadTreelogOnPostgres, openStore, type StoreName } from "../contenders/postgres.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import { startServer } from "../data/postgres.js"
import type { Recipe } from "../data/recipe.js"
import { LARGE_BY_PI, LARGE_BY_TREELOG, MIDDLE_BY_PI } from "../data/sessions.js"
import { digestOf } from "../digest.js"
import { percentiles, timed } from "../each.js"
import type { Case, Contender } from "../question.js"
import { work } from "../work.js"

const ID = "tail"
const TAIL = 64 * 1024
const READS = Array.from({ length: 50 })

/** The end of a session that was appended line by line. */
function tailOf(store: StoreName): Contender {
  return async (folder) => {
    const postgres = await openStore(store, folder)
    return work(
      () => timed(READS, () => postgres.tail?.(ID, TAIL)),
      ({ last }) =>
        createHash("sha256")
          .update(last ?? "")
          .digest("hex"),
      ({ times }) => percentiles(times),
    )
  }
}

async function writeTail(folder: string): Promise<void> {
  const lines = readFileSync(sessionIn(folder), "utf8").split(/(?<=\n)/)
  for (const name of ["treelog", "omp"] as const) {
    const store = await openStore(name, folder)
    if (name === "omp") await store.create(ID, lines)
    else {
      await store.create(ID, lines.slice(0, 1))
      const append = await store.writer(ID)
      for (const line of lines.slice(1)) await append([line])
    }
  }
}

const PLACE = { cwd: "/home/dev/shop", id: "large", timestamp: "2026-03-02T09:00:00.000Z" }

async function writeLarge(folder: string): Promise<void> {
  const { storage } = await loadTreelogOnPostgres(folder)
  const lease = await storage.lease(storage.keyFor(PLACE), { access: "exclusive", waitMs: 0 })
  await lease.create(createReadStream(sessionIn(folder)))
  await lease.release()
}

function contextCase(name: string, data: Recipe): Case {
  const answer = ({ messages }: { messages: readonly unknown[] }) => `${messages.length}, ${digestOf(messages)}`
  return {
    name: `context of 300 MB, ${name}`,
    size: 50_000,
    data: { "session.jsonl": data },
    prepare: (folder) => startServer(folder, () => writeLarge(folder)),
    contenders: {
      treelog: async (folder) => {
        const { sessions, storage } = await loadTreelogOnPostgres(folder)
        return work(() => sessions.readContext(storage.keyFor(PLACE)), answer)
      },
      "on files": async (folder, scratch) => {
        const sessions = await loadTreelog(scratch)
        return work(() => sessions.readContext(sessionIn(folder)), answer)
      },
    },
    bars: [{ contender: "treelog", beside: "on files", atMost: 3 }],
  }
}

export const READS_OF_LARGE: readonly Case[] = [
  {
    name: "the last 64 KB of 50 MB, 50 times",
    size: READS.length,
    data: { "session.jsonl": MIDDLE_BY_PI },
    prepare: (folder) => startServer(folder, () => writeTail(folder)),
    contenders: { treelog: tailOf("treelog"), omp: tailOf("omp") },
    absent: { claude: "it loads whole sessions" },
    bars: [{ contender: "treelog", figure: "p50 ms", atMost: 2 }],
  },
  contextCase("by treelog", LARGE_BY_TREELOG),
  contextCase("by pi", LARGE_BY_PI),
]
