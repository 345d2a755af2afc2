import { MB } from "../bar.js"
import { bareNode, command } from "../contenders/command.js"
import { besidePeers } from "../contenders/peers.js"
import { readAlone, readAndParse } from "../contenders/probes.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import type { Recipe } from "../data/recipe.js"
import * as data from "../data/sessions.js"
import { digestOf } from "../digest.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

interface Context {
  readonly messages: unknown[]
  readonly thinkingLevel: string
  readonly model: unknown
}

/** The messages and settings themselves: all have to give the very same. */
function describe({ messages, thinkingLevel, model }: Context): string {
  return `${messages.length} messages, ${digestOf([...messages, thinkingLevel, model])}`
}

const contenders: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(() => sessions.readContext(sessionIn(folder)), describe)
  },
  "treelog, opened": async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(
      async () => (await sessions.open(sessionIn(folder), { access: "read" })).buildSessionContext() as Context,
      describe,
    )
  },
}

const probes = { "read, parse": readAndParse((folder) => [sessionIn(folder)]), read: readAlone(sessionIn) }

function openCase(name: string, recipe: Recipe, entries: number, bars: Case["bars"] = []): Case {
  const own = { name, size: entries, data: { "session.jsonl": recipe }, contenders, probes, bars }
  return besidePeers(own, async (managers, folder) =>
    work(async () => (await managers.open(sessionIn(folder))).buildSessionContext(), describe),
  )
}

function commandCase(name: string, recipe: Recipe, within: number): Case {
  return {
    name,
    size: 1,
    isSpawned: true,
    data: { "session.jsonl": recipe },
    contenders: { "treelog context": command((folder) => ["context", sessionIn(folder)]) },
    probes: { "node's start": bareNode },
    bars: [{ contender: "treelog context", beside: "node's start", within }],
  }
}

const timesPi = (atLeast: number) => ({ contender: "treelog", beside: "pi", atLeast }) as const
const peak = (megabytes: number) => ({ contender: "treelog", figure: "peakRss", atMost: megabytes * MB }) as const
const peakOfPi = (atMost: number) => ({ contender: "treelog", figure: "peakRss", beside: "pi", atMost }) as const

export const open: Question = {
  name: "open",
  asks: "How long does it take to open a session in a new process and build its context?",
  rounds: 7,
  cases: [
    openCase("10k entries, 50 MB, compactions, by pi", data.MIDDLE_BY_PI, 10_000, [timesPi(20), peak(100)]),
    openCase("50k entries, 300 MB, compactions, by pi", data.LARGE_BY_PI, 50_000, [timesPi(50), peak(110)]),
    openCase("50k entries, 300 MB, compactions, by treelog", data.LARGE_BY_TREELOG, 50_000, [timesPi(300)]),
    openCase("10k entries, 50 MB, compactions, migrated by pi", data.MIDDLE_MIGRATED, 10_000, [timesPi(12)]),
    openCase("10k entries, 50 MB, no compaction, by pi", data.MIDDLE_WHOLE, 10_000, [timesPi(3), peakOfPi(0.5)]),
    openCase("1k entries, 2 MB, small, by pi", data.SMALL_BY_PI, 1_000, [timesPi(3)]),
    commandCase("the command, 300 MB, by pi", data.LARGE_BY_PI, 200),
    commandCase("the command, 300 MB, by treelog", data.LARGE_BY_TREELOG, 80),
  ],
}
