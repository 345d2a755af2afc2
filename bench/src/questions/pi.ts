import { setImmediate } from "node:timers/promises"
import { type ByPiCalls, besidePeers, byPiCalls, PIS } from "../contenders/peers.js"
import { loadTreelogForPi, type PiSession } from "../contenders/pi.js"
import { sessionIn } from "../data/case-files.js"
import { sessionsIn, writeSessions } from "../data/many-sessions.js"
import { MANY_MESSAGES, realMessages, smallMessages } from "../data/messages.js"
import type { Recipe } from "../data/recipe.js"
import { MIDDLE_BY_PI, SMALL_BY_PI, SMALLEST_BY_PI } from "../data/sessions.js"
import { writeStore } from "../data/store.js"
import { storedMessages } from "../data/stored-messages.js"
import { digestOf } from "../digest.js"
import type { Case, Question } from "../question.js"
import { work } from "../work.js"

const all = (contender: ByPiCalls) =>
  besidePeers({ contenders: { "treelog for pi": byPiCalls(loadTreelogForPi, contender) } }, contender)

const timesPi = (atLeast: number) => PIS.map((beside) => ({ contender: "treelog for pi", beside, atLeast }))

/** @param isOnePerTurn each in a turn of the event loop of its own, as an agent appends; otherwise in one loop */
function appendCase(name: string, messages: (folder: string) => object[], isOnePerTurn = false): Case {
  return {
    name: isOnePerTurn ? `1,000 ${name} messages appended, one per turn` : `1,000 ${name} messages appended`,
    size: 1_000,
    data: { "session.jsonl": MANY_MESSAGES },
    ...all(async (managers, folder, scratch) => {
      const appended = messages(folder)
      const session = managers.create("/home/dev/shop", scratch)
      return work(
        async () => {
          for (const message of appended) {
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
      ...all(async (managers, folder, scratch) =>
        work(async () => await managers.open(sessionIn(folder), scratch), entriesOf),
      ),
      bars: timesPi(open),
    },
    {
      name: `${name}, opened, its context`,
      size,
      data: { "session.jsonl": data },
      ...all(async (managers, folder, scratch) =>
        work(
          async () => (await managers.open(sessionIn(folder), scratch)).buildSessionContext(),
          ({ messages, thinkingLevel, model }) => digestOf([...messages, thinkingLevel, model]),
        ),
      ),
      bars: timesPi(context),
    },
  ]
}

/** One process that has done it before. */
function warmCase(entries: number, data: Recipe, times: number): Case {
  return {
    name: `${entries.toLocaleString("en")} entries, opened, its context and its branch, ${times} times`,
    size: times,
    data: { "session.jsonl": data },
    ...all(async (managers, folder, scratch) => {
      const once = async (): Promise<number> => {
        const session = await managers.open(sessionIn(folder), scratch)
        return session.buildSessionContext().messages.length + session.getBranch().length
      }
      for (let done = 0; done < times; done++) await once()
      return work(async () => {
        let total = 0
        for (let done = 0; done < times; done++) total += await once()
        return total
      }, String)
    }),
    bars: timesPi(1),
  }
}

/** How much memory open sessions take, with all that was read of them. */
function heldCase(sessions: number): Case {
  return {
    name: `${sessions} sessions of 0.4 MB open at once, with their contexts`,
    size: sessions,
    rounds: 3,
    prepare: (folder) => writeSessions(folder, sessions),
    ...all(async (managers, folder, scratch) => {
      const held: PiSession[] = []
      return work(async () => {
        let messages = 0
        for (const path of sessionsIn(folder)) {
          const session = await managers.open(path, scratch)
          messages += session.buildSessionContext().messages.length
          held.push(session)
        }
        return messages
      }, String)
    }),
    bars: PIS.map((beside) => ({ contender: "treelog for pi", beside, figure: "peakRss", atMost: 1 })),
  }
}

/** The list cache of treelog is filled by the round that is not counted. */
function listCase(sessions: number, atLeast: number): Case {
  return {
    name: `${sessions.toLocaleString("en")} sessions listed`,
    size: sessions,
    prepare: (folder) => writeStore(folder, sessions),
    ...all(async (managers) =>
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
    warmCase(60, SMALLEST_BY_PI, 300),
    warmCase(1_000, SMALL_BY_PI, 30),
    heldCase(500),
    listCase(300, 20),
  ],
}
