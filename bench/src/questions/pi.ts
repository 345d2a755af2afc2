import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { loadPi, loadTreelogForPi, type PiSession } from "../contenders/pi.js"
import { sessionIn } from "../data/case-files.js"
import { MANY_MESSAGES, realMessages, smallMessages } from "../data/messages.js"
import type { Recipe } from "../data/recipe.js"
import { MIDDLE_BY_PI, SMALL_BY_PI, SMALLEST_BY_PI } from "../data/sessions.js"
import { writeStore } from "../data/store.js"
import { storedMessages } from "../data/stored-messages.js"
import { digestOf } from "../digest.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

type Managers = Awaited<ReturnType<typeof loadPi>>

/** Both by the same calls. pi's functions read their folders from the environment. */
function both(contender: (managers: Managers, folder: string, scratch: string) => ReturnType<Contender>) {
  const on =
    (load: () => Promise<Managers>): Contender =>
    async (folder, scratch) => {
      process.env.PI_CODING_AGENT_DIR = join(folder, "agent")
      process.env.TREELOG_CACHE_DIR = join(folder, "cache")
      return contender(await load(), folder, scratch)
    }
  return { "treelog for pi": on(loadTreelogForPi), pi: on(loadPi) }
}

const timesPi = (atLeast: number) => [{ contender: "treelog for pi", beside: "pi", atLeast }] as const

/** @param isOnePerTurn each in a turn of the event loop of its own, as an agent appends; otherwise in one loop */
function appendCase(name: string, messages: (folder: string) => object[], isOnePerTurn = false): Case {
  return {
    name: isOnePerTurn ? `1,000 ${name} messages appended, one per turn` : `1,000 ${name} messages appended`,
    size: 1_000,
    data: { "session.jsonl": MANY_MESSAGES },
    contenders: both(async (managers, folder, scratch) => {
      const all = messages(folder)
      const session = managers.create("/home/dev/shop", scratch)
      return work(
        async () => {
          for (const message of all) {
            session.appendMessage(message)
            if (isOnePerTurn) await setImmediate()
          }
        },
        () => storedMessages(session.getSessionFile()),
      )
    }),
    bars: timesPi(isOnePerTurn ? 0.67 : 1),
  }
}

const entriesOf = (session: PiSession): string => `${session.getEntries().length} entries, ${session.getLeafId()}`

/** New processes: the file is in the page cache, the code has not run. */
function openCases(entries: number, data: Recipe, open: number, context: number): Case[] {
  const size = entries
  const name = `${entries.toLocaleString("en")} entries`
  return [
    {
      name: `${name}, opened`,
      size,
      data: { "session.jsonl": data },
      contenders: both(async (managers, folder, scratch) =>
        work(() => managers.open(sessionIn(folder), scratch), entriesOf),
      ),
      bars: timesPi(open),
    },
    {
      name: `${name}, opened, its context`,
      size,
      data: { "session.jsonl": data },
      contenders: both(async (managers, folder, scratch) =>
        work(
          () => managers.open(sessionIn(folder), scratch).buildSessionContext(),
          ({ messages, thinkingLevel, model }) => digestOf([...messages, thinkingLevel, model]),
        ),
      ),
      bars: timesPi(context),
    },
  ]
}

/** The list cache of treelog is filled by the round that is not counted. */
function listCase(sessions: number, atLeast: number): Case {
  return {
    name: `${sessions.toLocaleString("en")} sessions listed`,
    size: sessions,
    prepare: (folder) => writeStore(folder, sessions),
    contenders: both(async (managers) =>
      work(
        () => managers.listAll(),
        (all) => `${all.length} sessions, ${all.reduce((sum, { messageCount }) => sum + messageCount, 0)} messages`,
      ),
    ),
    bars: timesPi(atLeast),
  }
}

export const pi: Question = {
  name: "pi",
  asks: "How long do pi's own calls take on treelog's session manager for pi?",
  rounds: 7,
  cases: [
    appendCase("real", (folder) => realMessages(sessionIn(folder), 1_000)),
    appendCase("small", () => smallMessages(1_000)),
    appendCase("small", () => smallMessages(1_000), true),
    ...openCases(60, SMALLEST_BY_PI, 1, 1),
    ...openCases(1_000, SMALL_BY_PI, 1.5, 1.5),
    ...openCases(10_000, MIDDLE_BY_PI, 5, 4),
    listCase(300, 20),
  ],
}
