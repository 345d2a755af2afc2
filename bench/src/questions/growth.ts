import { appendFileSync, copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Message, Session } from "@treelog/session-core"
import { loadPi, type PiSession } from "../contenders/pi.js"
import { loadTreelog, loadTreelogStore } from "../contenders/treelog.js"
import { copyInto, sessionIn } from "../data/case-files.js"
import type { SmallSession } from "../data/recipe.js"
import { idOf } from "../data/shapes.js"
import type { Case, Contender, Question, Work } from "../question.js"
import { work } from "../work.js"

const APPENDS = 1_000
const BRANCHED = 500
const MILLION = 1_000_000
const SIZES = [1_000, 10_000, 100_000, MILLION]

const fork: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(() => sessions.forkFrom(sessionIn(folder), "/home/dev/elsewhere"), countOf)
  },
  pi: async (folder, scratch) => {
    const pi = await loadPi()
    return work(() => pi.forkFrom(sessionIn(folder), "/home/dev/elsewhere", scratch), countOf)
  },
}

/** The context of a stored session, of which compactions leave but the end. */
const storedContext: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(
      () => sessions.readContext(sessionIn(folder)),
      ({ messages }) => messages.length,
    )
  },
  pi: async (folder) => {
    const pi = await loadPi()
    return work(
      () => pi.open(sessionIn(folder)).buildSessionContext(),
      ({ messages }) => messages.length,
    )
  },
}

/** Loading a file, and finding the last entry's id. */
const load: Record<string, Contender> = {
  treelog: async (folder, scratch) => {
    const sessions = await loadTreelog(scratch)
    return work(() => sessions.open(sessionIn(folder), { access: "read" }), leafOf)
  },
  pi: async (folder) => {
    const pi = await loadPi()
    return work(() => pi.open(sessionIn(folder)), leafOf)
  },
}

/** What is done to a session that is open already. */
type Deed = (session: Session | PiSession) => Work

/** Nothing of the session is changed. */
function onOpened(deed: Deed): Record<string, Contender> {
  return {
    treelog: async (folder, scratch) =>
      deed(await (await loadTreelog(scratch)).open(sessionIn(folder), { access: "read" })),
    pi: async (folder, scratch) => deed((await loadPi()).open(sessionIn(folder), scratch)),
  }
}

/** Both work on a copy that is opened for writing. */
function onWritable(deed: Deed): Record<string, Contender> {
  return {
    treelog: async (folder, scratch) => deed(await (await loadTreelog(scratch)).open(copyInto(folder, scratch))),
    pi: async (folder, scratch) => deed((await loadPi()).open(copyInto(folder, scratch))),
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
      const message: Message = { role: "user", content: "One more entry.", timestamp: 1 }
      for (let index = 0; index < APPENDS; index++) session.appendMessage(message)
      if ("flush" in session) await session.flush()
      return session
    },
    (grown) => grown.getEntries().length,
  )

/** Copies the path to an entry near the beginning to a new session. */
const branchEarly: Deed = (session) =>
  work<unknown>(
    () => session.createBranchedSession(idOf(BRANCHED - 1)),
    () => BRANCHED,
  )

// A store of this one session, which may grow: what it costs to list it for the first time, again, and after it has grown by one.
const PLACE = "agent/sessions/--home-dev-shop--/2026-03-02T09-00-00-000Z_01a1ffe2-d280-7bb1-a556-12fe779ad53a.jsonl"
const storedIn = (folder: string): string => join(folder, PLACE)

function makeStore(folder: string): void {
  mkdirSync(dirname(storedIn(folder)), { recursive: true })
  copyFileSync(sessionIn(folder), storedIn(folder))
}

/** The round that is not counted fills the cache. */
const listed =
  (cached: boolean): Contender =>
  async (folder) => {
    const manager = await loadTreelogStore(folder, { cached })
    return work(async () => {
      let messages = 0
      for await (const { messageCount = 0 } of manager.listAll()) messages += messageCount
      return messages
    }, String)
  }

/** Since the last list, one entry was appended, which is no message. */
const listedAfterAppend: Contender = async (folder, scratch) => {
  appendFileSync(storedIn(folder), `${JSON.stringify({ type: "custom", id: String(process.pid), parentId: null })}\n`)
  return listed(true)(folder, scratch)
}

const listedByPi: Contender = async (folder) => {
  process.env.PI_CODING_AGENT_DIR = join(folder, "agent")
  const manager = await loadPi()
  return work(
    () => manager.listAll(),
    (all) => String(all.reduce((sum, { messageCount = 0 }) => sum + messageCount, 0)),
  )
}

interface Growth {
  readonly sizes?: readonly number[]
  /** How many things the work is done to, where that is not the number of entries. */
  readonly size?: number
  readonly checkpoints?: boolean
  /** Why pi takes no part at a million entries, where it does not. */
  readonly noPi?: string
  /** The contender for whom it should cost the same at every size. */
  readonly flat?: string
  readonly prepare?: (folder: string) => void
}

type Grown = [name: string, kind: SmallSession["kind"], contenders: Record<string, Contender>, growth?: Growth]

/** A case for every size. */
function grown(...[name, kind, contenders, growth = {}]: Grown): Case[] {
  const { sizes = SIZES, size, checkpoints, noPi, flat, prepare } = growth
  const nameAt = (entries: number): string => `${name}, at ${entries.toLocaleString("en")}`
  return sizes.map((entries) => {
    const { pi, ...others } = contenders
    const withPi = pi && !(entries >= MILLION && noPi !== undefined)
    return {
      name: nameAt(entries),
      series: { name, at: entries },
      size: size ?? entries,
      ...(entries >= MILLION && { rounds: 3 }),
      data: { "session.jsonl": { kind, entries, ...(checkpoints !== undefined && { checkpoints }) } },
      contenders: withPi ? { ...others, pi } : others,
      ...(!withPi && noPi !== undefined && { absent: { pi: noPi } }),
      ...(prepare && { prepare }),
      ...(flat !== undefined &&
        entries === MILLION && { bars: [{ contender: flat, besideCase: nameAt(10_000), atMost: 1.5 }] }),
    }
  })
}

const QUADRATIC = "it takes minutes, since it builds the path to the root by inserting each entry before the others."
const SPREAD = "it ends with an error, since it hands all children of an entry to one call as its arguments."
const WRITE_EACH = "it takes a minute, since it opens the new file once for each entry."

export const growth: Question = {
  name: "growth",
  asks: "Does one entry cost the same in a small session and in a large one? Entries take about 280 bytes.",
  rounds: 5,
  cases: [
    ...grown("append 1,000", "chain", onWritable(append), { size: APPENDS, flat: "treelog" }),
    ...grown("context, by treelog", "compacted", storedContext, {
      size: 1,
      checkpoints: true,
      noPi: QUADRATIC,
      flat: "treelog",
    }),
    ...grown("context, by pi", "compacted", storedContext, { size: 1, noPi: QUADRATIC }),
    ...grown("branch the first 500", "chain", onOpened(branchEarly), { size: BRANCHED, flat: "treelog" }),
    ...grown("fork", "chain", fork, { noPi: WRITE_EACH }),
    ...grown(
      "list it",
      "chain",
      { "treelog, cached": listed(true), "treelog, no cache": listed(false), pi: listedByPi },
      { size: 1, flat: "treelog, cached", prepare: makeStore },
    ),
    ...grown(
      "list it after an append",
      "chain",
      { "treelog, cached": listedAfterAppend },
      { size: 1, flat: "treelog, cached", prepare: makeStore },
    ),
    ...grown("load a chain", "chain", load),
    ...grown("load siblings", "siblings", load),
    ...grown("load as many labels", "labelled", load, { sizes: [1_000, 10_000] }),
    ...[1_000, 10_000].flatMap((count) =>
      grown("getLabel of each", "labelled", onOpened(getLabels(count)), { sizes: [count] }),
    ),
    ...grown("getTree of a chain", "chain", onOpened(getTree)),
    ...grown("getTree of siblings", "siblings", onOpened(getTree), { noPi: SPREAD }),
    ...grown("getBranch of a chain", "chain", onOpened(getBranch), { noPi: QUADRATIC }),
    ...grown("context of a chain", "chain", onOpened(context), { noPi: QUADRATIC }),
  ],
}

function countOf(session: Session | PiSession): number {
  return session.getEntries().length
}

function leafOf(session: Session | PiSession): string {
  return String(session.getLeafId())
}
