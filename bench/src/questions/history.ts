import { copyFileSync, linkSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ImportedPrompt } from "@treelog/history-sqlite"
import { historyIn, importPlainly, likeByTime, loadHistory, loadSqlite, matchByTime } from "../contenders/histories.js"
import { prompts, typedQueries } from "../data/prompts.js"
import { each } from "../each.js"
import type { Case, Contender, Question, Work } from "../question.js"
import { work } from "../work.js"

const PROMPTS = 50_000
const LIMIT = 100
/** Searches that look at all rows for what is rare take so long that few have to do. */
const FEW = 12

/** Made once for all cases; none of them writes to it. */
let made: string | undefined

async function prepare(folder: string): Promise<void> {
  made ??= await makeDatabase()
  linkSync(made, historyIn(folder))
}

async function makeDatabase(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "treelog-bench-history-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  const history = await loadHistory(historyIn(folder))
  await history.import(prompts(PROMPTS))
  await history.close()
  return historyIn(folder)
}

function fewOf(queries: readonly string[]): string[] {
  const every = Math.ceil(queries.length / FEW)
  return queries.filter((_, at) => at % every === 0)
}

function typedCase(kind: string, queries: readonly string[]): Case {
  return {
    name: `typed: ${kind}`,
    size: queries.length,
    prepare,
    contenders: {
      treelog: async (folder) => {
        const history = await loadHistory(historyIn(folder), "read")
        await history.recent()
        return each(queries, (query) => history.search(query, { limit: LIMIT }))
      },
    },
    probes: {
      "MATCH ORDER BY time, some": async (folder) => {
        const find = matchByTime(historyIn(folder))
        return each(fewOf(queries), (query) => find(query, LIMIT))
      },
      "LIKE, some": async (folder) => {
        const find = likeByTime(historyIn(folder))
        return each(fewOf(queries), (query) => find(query, LIMIT))
      },
    },
    bars: [
      { contender: "treelog", figure: "p50 ms", atMost: 5 },
      { contender: "treelog", figure: "p95 ms", atMost: 20 },
    ],
  }
}

const TIMES = Array.from({ length: 200 }, (_, at) => at)

const recents: Case = {
  name: "recents",
  size: TIMES.length,
  prepare,
  contenders: {
    treelog: async (folder) => {
      const history = await loadHistory(historyIn(folder), "read")
      await history.recent()
      return each(TIMES, () => history.recent({ limit: LIMIT }))
    },
    "of a folder": async (folder) => {
      const history = await loadHistory(historyIn(folder), "read")
      await history.recent()
      const scope = { kind: "cwd", cwd: "/home/user/project-150" } as const
      return each(TIMES, () => history.recent({ limit: LIMIT, scope }))
    },
  },
  bars: [{ contender: "treelog", figure: "p50 ms", atMost: 1 }],
}

const imported: Case = {
  name: "import",
  size: PROMPTS,
  rounds: 1,
  contenders: {
    treelog: importing(async (path, all) => {
      const history = await loadHistory(path)
      const { added } = await history.import(all)
      await history.close()
      return added
    }),
    "words by a trigger": importing((path, all) => importPlainly(path, all, false)),
    "and FTS5's trigrams": importing((path, all) => importPlainly(path, all, true)),
  },
  bars: [
    // 15,000 rows a second.
    { contender: "treelog", atMost: PROMPTS / 15 },
    { contender: "treelog", beside: "and FTS5's trigrams", atMost: 1 },
  ],
}

function importing(run: (path: string, all: readonly ImportedPrompt[]) => number | Promise<number>): Contender {
  return async (_, scratch) => {
    const all = [...prompts(PROMPTS)]
    return work(
      () => run(historyIn(scratch), all),
      (stored) => stored,
    )
  }
}

const added: Case = {
  name: "add one and flush",
  size: TIMES.length,
  prepare,
  contenders: {
    treelog: onCopy(async (path) => {
      const history = await loadHistory(path)
      await history.recent()
      return each(TIMES, async (at) => {
        history.add(`a new prompt, number ${at}`, { cwd: "/home/user/project-1" })
        await history.flush()
      })
    }),
  },
}

const deleted: Case = {
  name: "delete one",
  size: 1,
  prepare,
  contenders: {
    treelog: onCopy(async (path) => {
      const history = await loadHistory(path)
      const [prompt] = await history.recent({ limit: 1 })
      return work(
        () => history.delete({ id: prompt?.id ?? 0 }),
        (removed) => removed,
      )
    }),
  },
  probes: {
    "DELETE, then VACUUM": onCopy(async (path) => {
      const db = loadSqlite(path)
      db.prepare("PRAGMA secure_delete = ON").get()
      return work(
        () => {
          db.exec("DELETE FROM history WHERE id = (SELECT max(id) FROM history)")
          db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
        },
        () => 1,
      )
    }),
  },
  bars: [{ contender: "treelog", atMost: 500 }],
}

/** A contender that writes. */
function onCopy(contender: (path: string) => Promise<Work>): Contender {
  return (folder, scratch) => {
    copyFileSync(historyIn(folder), historyIn(scratch))
    return contender(historyIn(scratch))
  }
}

export const history: Question = {
  name: "history",
  asks: `How fast is the history of prompts when it holds ${PROMPTS.toLocaleString("en")}: for each keystroke, and to fill it?`,
  rounds: 3,
  cases: [
    ...Object.entries(typedQueries()).map(([kind, queries]) => typedCase(kind, queries)),
    recents,
    imported,
    added,
    deleted,
  ],
}
