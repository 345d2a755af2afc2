import { copyFileSync } from "node:fs"
import { join } from "node:path"
import type { Session } from "@treelog/session-core"
import { writeLines } from "@treelog-internal/test-kit/generator"
import { loadPi, type PiSession } from "../contenders/pi.js"
import { loadTreelog } from "../contenders/treelog.js"
import { chain, idOf, labelled, siblings } from "../data/shapes.js"
import type { Case, Contender, Question, Work } from "../question.js"
import { work } from "../work.js"

const APPENDS = 1_000
const SIZES = [1_000, 10_000, 100_000]

const fileIn = (folder: string): string => join(folder, "session.jsonl")

/** What is done to a session that is open already. */
type Deed = (session: Session | PiSession) => Work

/** Loading a file, and finding the last entry's id. */
const load: Record<string, Contender> = {
  treelog: async (folder) => {
    const sessions = await loadTreelog(folder)
    return work(() => sessions.open(fileIn(folder), { access: "read" }), leafOf)
  },
  pi: async (folder) => {
    const pi = await loadPi()
    return work(() => pi.open(fileIn(folder)), leafOf)
  },
}

/** Both work on a copy that is opened for writing; the opening is not measured. */
function onOpened(deed: Deed): Record<string, Contender> {
  const copyOf = (folder: string): string => {
    const copy = join(folder, `copy-${process.pid}.jsonl`)
    copyFileSync(fileIn(folder), copy)
    return copy
  }
  return {
    treelog: async (folder) => deed(await (await loadTreelog(folder)).open(copyOf(folder))),
    pi: async (folder) => deed((await loadPi()).open(copyOf(folder))),
  }
}

const getTree: Deed = (session) =>
  work(
    () => session.getTree() as unknown[],
    (roots) => roots.length,
  )
const getBranch: Deed = (session) =>
  work(
    () => session.getBranch() as unknown[],
    (entries) => entries.length,
  )
const context: Deed = (session) =>
  work(
    () => session.buildSessionContext(),
    ({ messages }) => messages.length,
  )

const getLabels =
  (count: number): Deed =>
  (session) =>
    work(
      () => Array.from({ length: count }, (_, index) => session.getLabel(idOf(2 * index))),
      (labels) => labels.join().length,
    )

/** pi writes each entry at once; treelog's entries are written when `flush` resolves, and are then on the disk. */
const append: Deed = (session) =>
  work(
    async () => {
      const message = { role: "user", content: "One more entry.", timestamp: 1 }
      for (let index = 0; index < APPENDS; index++) session.appendMessage(message)
      if ("flush" in session) await session.flush()
      return session
    },
    (grown) => grown.getBranch().length,
  )

type Lines = (entries: number) => Iterable<string>

function grown(
  name: string,
  lines: Lines,
  contenders: Record<string, Contender>,
  sizes = SIZES,
  size?: number,
): Case[] {
  return sizes.map((entries) => ({
    name: `${name}, ${entries.toLocaleString("en")}`,
    size: size ?? entries,
    prepare: (folder) => writeLines(fileIn(folder), lines(entries)),
    contenders,
  }))
}

export const growth: Question = {
  name: "growth",
  asks: "Does one entry cost the same in a small session and in a large one?",
  rounds: 5,
  cases: [
    ...grown("load a chain", chain, load),
    ...grown("load siblings", siblings, load),
    ...grown("load as many labels", labelled, load, [1_000, 10_000]),
    ...[1_000, 10_000].flatMap((count) => grown("getLabel of each", labelled, onOpened(getLabels(count)), [count])),
    ...grown("getTree of a chain", chain, onOpened(getTree)),
    ...grown("getTree of siblings", siblings, onOpened(getTree)),
    ...grown("getBranch of a chain", chain, onOpened(getBranch)),
    ...grown("context of a chain", chain, onOpened(context)),
    ...grown("append 1,000 to a chain of", chain, onOpened(append), SIZES, APPENDS),
  ],
}

function leafOf(session: Session | PiSession): string {
  return String(session.getLeafId())
}
