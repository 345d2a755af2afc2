import { loadPi } from "../contenders/pi.js"
import { readAlone, readAndParse } from "../contenders/probes.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import type { Recipe } from "../data/recipe.js"
import { LARGE_BY_PI, MIDDLE_BY_PI } from "../data/sessions.js"
import { digestOf } from "../digest.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

interface Entry {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
}

/** All that one has to know of an entry to go on from it. */
function treeOf(entries: readonly Entry[]): string {
  return `${entries.length} entries, ${digestOf(entries.map(({ type, id, parentId }) => [type, id, parentId]))}`
}

/** The session is ready to be appended to. */
const contenders: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(
      () => sessions.open(sessionIn(folder)),
      async (session) => {
        const tree = treeOf(session.getEntries())
        await session.close()
        return tree
      },
    )
  },
  pi: async (folder, scratch) => {
    const pi = await loadPi()
    return work(
      () => pi.open(sessionIn(folder), scratch),
      (session) => treeOf(session.getEntries()),
    )
  },
}

const probes = { "read, parse": readAndParse((folder) => [sessionIn(folder)]), read: readAlone(sessionIn) }

function loadCase(name: string, size: number, recipe: Recipe, bars: Case["bars"] = []): Case {
  return { name, size, data: { "session.jsonl": recipe }, contenders, probes, bars }
}

const longLine = (megabytes: number, bars?: Case["bars"]): Case =>
  loadCase(`one line of ${megabytes} MB`, megabytes, { kind: "long line", bytes: megabytes * 1_000_000 }, bars)

export const load: Question = {
  name: "load",
  asks: "How long does it take to open a session for writing, so that every entry can be reached?",
  rounds: 7,
  cases: [
    loadCase("50k entries, 300 MB", 50_000, LARGE_BY_PI, [{ contender: "treelog", beside: "pi", atLeast: 12 }]),
    loadCase("10k entries, 50 MB", 10_000, MIDDLE_BY_PI),
    longLine(16),
    // Linear: a megabyte of the longer line takes no longer, but for noise. With the square it would take four times as long.
    longLine(64, [{ contender: "treelog", besideCase: "one line of 16 MB", atMost: 1.5 }]),
  ],
}
