import { readFileSync } from "node:fs"
import type { Bar } from "../bar.js"
import { loadPi, loadPiPackage } from "../contenders/pi.js"
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
const loading: Record<string, Contender> = {
  treelog: async (folder, scratch) =>
    work(async () => (await loadTreelog(scratch)).readContext(sessionIn(folder)), describe),
  pi: async (folder) =>
    work(async () => (await loadPiPackage()).open(sessionIn(folder)).buildSessionContext(), describe),
  "pi, its session manager alone": async (folder) =>
    work(async () => (await loadPi()).open(sessionIn(folder)).buildSessionContext(), describe),
}

/** The code is loaded, and has not run. */
const firstCall: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(() => sessions.readContext(sessionIn(folder)), describe)
  },
  pi: async (folder) => {
    const pi = await loadPi()
    return work(() => pi.open(sessionIn(folder)).buildSessionContext(), describe)
  },
}

/** One process reads the contexts of many sessions, one after the other. */
const many: Record<string, Contender> = {
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
  pi: async (folder) => {
    const pi = await loadPi()
    return work(() => total(sessionsIn(folder), (path) => pi.open(path).buildSessionContext()), count)
  },
}

/** The least that any of them can do: each line is parsed. */
const parseEach: Contender = async (folder) =>
  work(
    () =>
      total(sessionsIn(folder), (path) => ({
        messages: readFileSync(path, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line)),
      })),
    (lines) => lines,
  )

async function total(paths: readonly string[], read: (path: string) => Context | Promise<Context>): Promise<number> {
  let messages = 0
  for (const path of paths) messages += (await read(path)).messages.length
  return messages
}

/** Opens a session of the smallest kind, and asks for its branch. */
const branch: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(async () => (await sessions.open(sessionIn(folder), { access: "read" })).getBranch().length, String)
  },
  pi: async (folder, scratch) => {
    const pi = await loadPi()
    return work((): number => pi.open(sessionIn(folder), scratch).getBranch().length, String)
  },
}

const atLeast = (times: number): Bar[] => [{ contender: "treelog", beside: "pi", atLeast: times }]
const atMost = (times: number): Bar[] => [{ contender: "treelog", beside: "pi", atMost: times }]

function oneSession(what: string, recipe: Recipe, contenders: Record<string, Contender>, bars: Bar[]): Case {
  const size = recipe.kind === "session" ? recipe.entries : 1
  const name = `${size.toLocaleString("en")} entries, ${what}`
  return { name, size, data: { "session.jsonl": recipe }, contenders, bars }
}

export const small: Question = {
  name: "small",
  asks: "How long does it take to read the context of a small session?",
  rounds: 9,
  cases: [
    ...[SMALLEST_BY_PI, SMALL_BY_PI].flatMap((recipe) => [
      oneSession("loading included", recipe, loading, atLeast(4)),
      oneSession("first call", recipe, firstCall, atMost(2)),
      oneSession("first call, open and getBranch", recipe, branch, atMost(1)),
    ]),
    {
      name: "500 sessions of 0.4 MB in one process",
      size: 500,
      rounds: 5,
      prepare: (folder) => writeSessions(folder, 500),
      contenders: many,
      probes: { "read, parse": parseEach },
      bars: atLeast(4),
    },
  ],
}
