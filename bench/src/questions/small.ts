import type { Bar } from "../bar.js"
import { loadOmp, OMP, OMP_IS_ABSENT } from "../contenders/omp.js"
import { besidePeers } from "../contenders/peers.js"
import { loadPi, loadPi1, loadPiPackage, PI_1_IS_ABSENT, type PiManagers } from "../contenders/pi.js"
import { readAndParse } from "../contenders/probes.js"
import { loadTreelog } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import { sessionsIn, writeSessions } from "../data/many-sessions.js"
import type { Recipe } from "../data/recipe.js"
import { SMALL_BY_PI, SMALLEST_BY_PI } from "../data/sessions.js"
import { digestOf } from "../digest.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

interface Context {
  readonly messages: readonly unknown[]
}

const describe = ({ messages }: Context): string => `${messages.length} messages, ${digestOf([...messages])}`
const count = (total: number): string => `${total} messages`

/** Loading the code is part of the work. */
function contextOf(load: () => Promise<PiManagers>): Contender {
  return async (folder) =>
    work(async () => (await (await load()).open(sessionIn(folder))).buildSessionContext(), describe)
}

const loading: Pick<Case, "contenders" | "probes"> = {
  contenders: {
    treelog: async (folder, scratch) =>
      work(async () => (await loadTreelog(scratch)).readContext(sessionIn(folder)), describe),
    pi: contextOf(loadPiPackage),
    "pi, its session manager alone": contextOf(loadPi),
    ...(!PI_1_IS_ABSENT && { "pi 1.6.0": contextOf(loadPi1) }),
  },
  probes: OMP_IS_ABSENT ? {} : { [OMP]: contextOf(loadOmp) },
}

/** The code is loaded, and has not run. */
const treelogFirst: Contender = async (folder, scratch) => {
  const sessions = await loadTreelog(scratch)
  return work(() => sessions.readContext(sessionIn(folder)), describe)
}
const firstCall = besidePeers({ contenders: { treelog: treelogFirst } }, async (managers, folder) =>
  work(async () => (await managers.open(sessionIn(folder))).buildSessionContext(), describe),
)

/** One process reads the contexts of many sessions, one after the other. */
const manyOfTreelog: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(() => total(sessionsIn(folder), (path) => sessions.readContext(path)), count)
  },
  "treelog, opened": async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    const read = async (path: string) => {
      const session = await sessions.open(path, { access: "read" })
      const context = session.buildSessionContext() as Context
      await session.close()
      return context
    }
    return work(() => total(sessionsIn(folder), read), count)
  },
}

async function total(paths: readonly string[], read: (path: string) => Context | Promise<Context>): Promise<number> {
  let messages = 0
  for (const path of paths) messages += (await read(path)).messages.length
  return messages
}

const many = besidePeers(
  { contenders: manyOfTreelog, probes: { "read, parse": readAndParse(sessionsIn) } },
  async (managers, folder) =>
    work(() => total(sessionsIn(folder), async (path) => (await managers.open(path)).buildSessionContext()), count),
)

const atLeast = (times: number): Bar[] => [{ contender: "treelog", beside: "pi", atLeast: times }]
const atMost = (times: number): Bar[] => [{ contender: "treelog", beside: "pi", atMost: times }]

function oneSession(what: string, recipe: Recipe, own: Pick<Case, "contenders">, bars: Bar[]): Case {
  const size = recipe.kind === "session" ? recipe.entries : 1
  const name = `${size.toLocaleString("en")} entries, ${what}`
  return { name, size, data: { "session.jsonl": recipe }, ...own, bars }
}

export const small: Question = {
  name: "small",
  asks: "How long does it take to read the context of a small session?",
  rounds: 9,
  cases: [
    ...[SMALLEST_BY_PI, SMALL_BY_PI].flatMap((recipe) => [
      oneSession("loading included", recipe, loading, atLeast(4)),
      oneSession("first call", recipe, firstCall, atMost(2)),
    ]),
    {
      name: "500 sessions of 0.4 MB in one process",
      size: 500,
      rounds: 5,
      prepare: (folder) => writeSessions(folder, 500),
      ...many,
      bars: atLeast(4),
    },
  ],
}
