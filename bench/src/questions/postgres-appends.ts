import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { openStore, type StoreName } from "../contenders/postgres.js"
import { sessionIn } from "../data/case-files.js"
import { startServer } from "../data/postgres.js"
import type { Recipe } from "../data/recipe.js"
import { MIDDLE_BY_PI, SMALL_BY_PI } from "../data/sessions.js"
import type { Case, Contender } from "../question.js"
import { work } from "../work.js"

const MIB = 1024 * 1024

function linesIn(folder: string, bytes = Number.POSITIVE_INFINITY): string[] {
  const all = readFileSync(sessionIn(folder), "utf8").split(/(?<=\n)/)
  let size = 0
  return all.filter((line) => {
    size += Buffer.byteLength(line)
    return size <= bytes
  })
}

/** Lines that an agent appends, of about 2 KB, again and again. */
const appended = (lines: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, index) => lines[1 + (index % Math.min(lines.length - 1, 900))] as string)

interface Appending {
  readonly count: number
  /** Sessions that are written at the same time. */
  readonly writers?: number
  /** The size of each session before. Bytes; 0 for new ones. */
  readonly size: number
}

/** Appends lines one by one, each in a statement of its own, durably. */
function appending(store: StoreName, { count, writers = 1, size }: Appending): Contender {
  return async (folder) => {
    const postgres = await openStore(store, folder)
    const lines = linesIn(folder)
    const before = size === 0 ? lines.slice(0, 1) : linesIn(folder, size)
    const ids = Array.from({ length: writers }, () => randomUUID())
    const write = await Promise.all(
      ids.map(async (id) => {
        await postgres.create(id, before)
        return postgres.writer(id)
      }),
    )
    return work(
      async () => {
        await Promise.all(
          write.map(async (append) => {
            for (const line of appended(lines, count)) await append([line])
          }),
        )
      },
      async () => (await Promise.all(ids.map((id) => postgres.count(id)))).join(", "),
    )
  }
}

function appendCase(name: string, data: Recipe, options: Appending, stores: readonly StoreName[]): Case {
  return {
    name,
    size: options.count * (options.writers ?? 1),
    data: { "session.jsonl": data },
    prepare: (folder) => startServer(folder),
    contenders: Object.fromEntries(stores.map((store) => [store, appending(store, options)])),
  }
}

const AT_1_MB = "append 300 lines, at 1 MB"

export const APPENDS: readonly Case[] = [
  {
    ...appendCase("append 100 lines, at 2 MB", SMALL_BY_PI, { count: 100, size: 2 * MIB }, [
      "treelog",
      "omp",
      "claude",
    ]),
    bars: [{ contender: "treelog", beside: "omp", atLeast: 50 }],
  },
  {
    ...appendCase("8 writers, 300 lines each", SMALL_BY_PI, { count: 300, writers: 8, size: 0 }, [
      "treelog",
      "omp",
      "claude",
    ]),
    bars: [{ contender: "treelog", beside: "claude", atLeast: 1.2 }],
  },
  appendCase(AT_1_MB, MIDDLE_BY_PI, { count: 300, size: MIB }, ["treelog", "claude"]),
  {
    ...appendCase("append 300 lines, at 50 MB", MIDDLE_BY_PI, { count: 300, size: 60 * MIB }, ["treelog", "claude"]),
    bars: [{ contender: "treelog", besideCase: AT_1_MB, atMost: 1.25 }],
    absent: { omp: "it takes minutes" },
  },
  {
    ...appendCase("append 2 lines, at 50 MB", MIDDLE_BY_PI, { count: 2, size: 60 * MIB }, ["treelog", "omp"]),
    rounds: 2,
  },
]
