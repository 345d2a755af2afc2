import { appendFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Bar, MB } from "../bar.js"
import { bareNode } from "../contenders/command.js"
import { grep, readAndParse, scanThroughCore, searchPi } from "../contenders/scans.js"
import { loadIndex } from "../contenders/session-index.js"
import { storeCommand } from "../contenders/store-command.js"
import { writeStore } from "../data/store.js"
import { each } from "../each.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

const SESSIONS = 3_000
const LIMIT = 50
/** Queries of each kind, and updates after an append. */
const TIMES = 20

/** By their kinds. All words of the generated texts are common; what is rare is answered at once. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  words: ["retry", "discount", "checkout", "invoice", "retry timeout", "cart price order", "snapshot -cookie"],
  phrases: ['"unknown code"', '"keeps the"', '"git status"', '"retry timeout"', '"cart price"'],
  "beginnings of words": ["disc*", "che*", "sess*", "th*"],
  "parts of words": ["scoun", "heckou", "mpile", "roxy"],
  "Chinese, Japanese, Korean": ["折扣", "会话", "结账", "テスト", "세션", "扣"],
  filters: ["role:user retry", "tool:bash cart", "model:claude invoice", "file:index.ts price", "role:thinking budget"],
  "newest first": ["role:user", "role:assistant", "tool:bash"],
}

async function prepare(folder: string): Promise<void> {
  writeStore(folder, SESSIONS)
}

async function prepareIndex(folder: string): Promise<void> {
  writeStore(folder, SESSIONS)
  const index = await loadIndex(folder)
  await index.update()
  await index.close()
}

const build: Contender = async (folder, scratch) => {
  const path = join(scratch, "index.db")
  const index = await loadIndex(folder, path)
  const update = async () => {
    const { read, bytes } = await index.update()
    await index.close()
    return { read, bytes }
  }
  return work(
    update,
    ({ read }) => read,
    ({ bytes }) => ({ "index, % of the sessions": (100 * statSync(path).size) / bytes }),
  )
}

/** An update and a query after each of some appends, in a process that has done so before. */
const afterAppends: Contender = async (folder) => {
  const index = await loadIndex(folder)
  const root = join(folder, "agent", "sessions")
  const [bucket = ""] = readdirSync(root)
  const [name = ""] = readdirSync(join(root, bucket))
  let appended = 0
  const once = async (): Promise<void> => {
    const id = `a${process.pid}-${appended++}`
    const message = { role: "user", content: "A word that was appended." }
    const entry = { type: "message", id, parentId: null, timestamp: new Date().toISOString(), message }
    appendFileSync(join(root, bucket, name), `${JSON.stringify(entry)}\n`)
    await index.update()
    const { sessions } = await index.search({ terms: [{ text: "appended" }], limit: 1 })
    if (sessions[0]?.hits[0]?.entryId !== id) throw new Error("What was appended is not found.")
  }
  for (let times = 0; times < TIMES; times++) await once()
  return each(Array.from({ length: TIMES }), once)
}

function warm(queries: readonly string[]): Contender {
  return async (folder) => {
    const [index, { parseQuery }] = await Promise.all([
      loadIndex(folder),
      import("@treelog/session-core/session-index"),
    ])
    const parsed = queries.map((text) => ({ ...parseQuery(text, Date.now()), limit: LIMIT }))
    for (const query of parsed) await index.search(query)
    return each(
      Array.from({ length: TIMES }).flatMap(() => parsed),
      (query) => index.search(query),
    )
  }
}

const WITHIN: readonly Bar[] = [
  { contender: "treelog", figure: "p50 ms", atMost: 5 },
  { contender: "treelog", figure: "p95 ms", atMost: 25 },
]

export const search: Question = {
  name: "search",
  asks: "How long does it take to index and search a store of 3,000 sessions, 1 GB?",
  rounds: 5,
  cases: [
    {
      name: "first build",
      size: SESSIONS,
      rounds: 3,
      prepare,
      contenders: { treelog: build },
      probes: { "read, parse": readAndParse },
      bars: [
        { contender: "treelog", beside: "read, parse", atMost: 4 },
        { contender: "treelog", figure: "peakRss", atMost: 250 * MB },
        { contender: "treelog", figure: "index, % of the sessions", atMost: 15 },
      ],
    },
    {
      name: "nothing changed, the command",
      size: SESSIONS,
      isSpawned: true,
      prepare,
      contenders: { "treelog search": storeCommand("search", "--all", "coverage") },
      probes: { "node's start": bareNode },
      bars: [{ contender: "treelog search", beside: "node's start", within: 150 }],
    },
    {
      name: "after one append, same process",
      size: TIMES,
      prepare: prepareIndex,
      contenders: { treelog: afterAppends },
      bars: [{ contender: "treelog", figure: "p50 ms", atMost: 30 }],
    },
    {
      name: "one word, without an index",
      size: 1,
      rounds: 2,
      prepare: prepareIndex,
      contenders: { treelog: warm(["coverage"]) },
      probes: {
        "grep -r": grep("coverage"),
        "scan through the core": scanThroughCore("coverage"),
        "pi's list": searchPi("coverage"),
      },
    },
    ...Object.entries(QUERIES).map(
      ([kind, queries]): Case => ({
        name: `warm: ${kind}`,
        size: TIMES * queries.length,
        prepare: prepareIndex,
        contenders: { treelog: warm(queries) },
        bars: WITHIN,
      }),
    ),
    {
      name: "tokens and cost by day, the command",
      size: SESSIONS,
      isSpawned: true,
      prepare,
      contenders: { "treelog stats --by day": storeCommand("stats", "--all", "--by", "day") },
      probes: { "node's start": bareNode },
      bars: [{ contender: "treelog stats --by day", atMost: 300 }],
    },
  ],
}
