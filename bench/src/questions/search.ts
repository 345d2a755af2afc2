import { appendFileSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Bar, MB } from "../bar.js"
import { bareNode } from "../contenders/command.js"
import { grep, hasRipgrep, parseAll, ripgrep, scanThroughCore, searchPi } from "../contenders/scans.js"
import { loadIndex } from "../contenders/session-index.js"
import { storeCommand } from "../contenders/store-command.js"
import { rareWord } from "../data/rare-words.js"
import type { StoreRecipe } from "../data/recipe.js"
import { becomeCopy, storeIn, useIndexedStore, useStore } from "../data/shared-store.js"
import { each } from "../each.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

const SESSIONS = 3_000
/** With the mix of a real session: 1.1 GB, 415,000 entries. */
const STORE: StoreRecipe = { kind: "store", sessions: SESSIONS, entries: 140 }
/** More and shorter ones: 1.2 GB, 1,020,000 entries. */
const MANY_ENTRIES: StoreRecipe = { kind: "store", sessions: SESSIONS, entries: 340, toolOutput: 500 }
const LIMIT = 50
/** Times that each query is asked. */
const TIMES = 10
const APPENDS = 20
/** In a few sessions. */
const RARE = rareWord(20_000)
/** In most sessions. */
const COMMON = "coverage"

/** By their kinds. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "common words": ["retry", "discount", "checkout", "invoice", "the"],
  "rare words": [1_000, 5_000, 20_000, 60_000, 100_000].map(rareWord),
  "several words": ["retry timeout", "cart price order", `invoice ${rareWord(300)}`, `${rareWord(50)} ${rareWord(40)}`],
  phrases: [
    '"unknown code"',
    '"keeps the"',
    '"git status"',
    '"retry timeout"',
    '"cart price"',
    `"the ${rareWord(30)}"`,
  ],
  "a phrase of common words that is in 7 texts": ['"cart price order"'],
  exclusions: ["snapshot -cookie", "checkout -the -a", "retry -timeout"],
  "beginnings of words": ["disc*", "che*", "sess*", "th*"],
  "a beginning of 3,000 words": ["re*"],
  "parts of words": ["scoun", "heckou", "mpile", "roxy", rareWord(2_000).slice(1, -1)],
  "Chinese, Japanese, Korean": ["折扣", "会话", "结账", "テスト", "세션", "扣"],
  "filters: role, model, tool": ["role:user retry", "model:claude invoice", "tool:read cart", "role:thinking budget"],
  "filters: since, until": ["since:2026-10-01 retry", "until:2026-02-01 retry"],
  "filters: project, file, name, label": [
    "project:project-7 retry",
    "file:index.ts price",
    "name:fix retry",
    "label:half",
  ],
  "newest first": ["role:user", "role:assistant", "tool:bash"],
}
const RANKED = ["retry timeout", "discount", rareWord(1_000)]

const build: Contender = async (folder, scratch) => {
  const path = join(scratch, "index.db")
  const index = await loadIndex(storeIn(folder), path)
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
  const store = storeIn(folder)
  const index = await loadIndex(store)
  const root = join(store, "agent", "sessions")
  const [bucket = ""] = readdirSync(root)
  const [name = ""] = readdirSync(join(root, bucket))
  const path = join(root, bucket, name)
  becomeCopy(path)
  let appended = 0
  const once = async (): Promise<void> => {
    const id = `a${process.pid}-${appended++}`
    const message = { role: "user", content: "A word that was appended." }
    const entry = { type: "message", id, parentId: null, timestamp: new Date().toISOString(), message }
    appendFileSync(path, `${JSON.stringify(entry)}\n`)
    await index.update()
    const { sessions } = await index.search({ terms: [{ text: "appended" }], limit: 1 })
    if (sessions[0]?.hits[0]?.entryId !== id) throw new Error("What was appended is not found.")
  }
  for (let times = 0; times < APPENDS; times++) await once()
  return each(Array.from({ length: APPENDS }), once)
}

function warm(queries: readonly string[], sort: "newest" | "relevance" = "newest"): Contender {
  return async (folder) => {
    const [index, { parseQuery }] = await Promise.all([
      loadIndex(storeIn(folder)),
      import("@treelog/session-core/search"),
    ])
    const parsed = queries.map((text) => ({ ...parseQuery(text, Date.now()), limit: LIMIT, sort }))
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

function warmCase(kind: string, queries: readonly string[], sort?: "relevance"): Case {
  return {
    name: `warm, 1,000,000 entries: ${kind}`,
    size: TIMES * queries.length,
    rounds: 3,
    prepare: (folder) => useIndexedStore(folder, MANY_ENTRIES),
    contenders: { treelog: warm(queries, sort) },
    bars: WITHIN,
  }
}

/** What a search costs where nothing is prepared for it. */
function withoutIndex(name: string, word: string): Case {
  const probes = { "grep -r": grep(word), "scan through the core": scanThroughCore(word), "pi's list": searchPi(word) }
  return {
    name,
    size: 1,
    rounds: 2,
    prepare: (folder) => useIndexedStore(folder, STORE),
    contenders: { treelog: warm([word]) },
    ...(hasRipgrep()
      ? { probes: { ripgrep: ripgrep(word), ...probes } }
      : { probes, absent: { ripgrep: "There is no `rg` on this machine." } }),
  }
}

function appendCase(entries: string, recipe: StoreRecipe): Case {
  return {
    name: `after one append, same process, ${entries} entries`,
    size: APPENDS,
    rounds: 3,
    prepare: (folder) => useIndexedStore(folder, recipe),
    contenders: { treelog: afterAppends },
    bars: [{ contender: "treelog", figure: "p50 ms", atMost: 30 }],
  }
}

function commandCase(name: string, args: readonly string[], bar: Bar): Case {
  return {
    name: `${name}, the command`,
    size: SESSIONS,
    isSpawned: true,
    prepare: async (folder) => {
      await useStore(folder, STORE)
    },
    contenders: { [bar.contender]: storeCommand(...args) },
    probes: { "node's start": bareNode },
    bars: [bar],
  }
}

const NOTHING_CHANGED: Bar = { contender: "treelog search", beside: "node's start", within: 150 }
const BY_DAY: Bar = { contender: "treelog stats --by day", atMost: 300 }

export const search: Question = {
  name: "search",
  asks: "How long does it take to index and search a store of 3,000 sessions, 1 GB?",
  rounds: 5,
  cases: [
    {
      name: "first build",
      size: SESSIONS,
      rounds: 3,
      prepare: async (folder) => {
        await useStore(folder, STORE)
      },
      contenders: { treelog: build },
      probes: { "read, parse": parseAll },
      bars: [
        { contender: "treelog", beside: "read, parse", atMost: 4 },
        { contender: "treelog", figure: "peakRss", atMost: 250 * MB },
        { contender: "treelog", figure: "index, % of the sessions", atMost: 15 },
      ],
    },
    // Its search reads all sessions: that for a common word ends when it has its hits, and leaves the rest to later ones.
    commandCase("nothing changed, a rare word", ["search", "--all", RARE], NOTHING_CHANGED),
    commandCase("nothing changed, a common word", ["search", "--all", COMMON], NOTHING_CHANGED),
    commandCase("tokens and cost by day", ["stats", "--all", "--by", "day"], BY_DAY),
    withoutIndex("a common word, without an index", COMMON),
    withoutIndex("a rare word, without an index", RARE),
    ...Object.entries(QUERIES).map(([kind, queries]) => warmCase(kind, queries)),
    warmCase("by relevance", RANKED, "relevance"),
    // These change the stores.
    appendCase("415,000", STORE),
    appendCase("1,000,000", MANY_ENTRIES),
  ],
}
