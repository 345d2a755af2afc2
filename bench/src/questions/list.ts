import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { SessionManager } from "@treelog/session-core"
import { loadPi } from "../contenders/pi.js"
import { loadTreelogStore } from "../contenders/treelog.js"
import { writeStore } from "../data/store.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

const SESSIONS = 3_000

interface Listed {
  readonly sessions: number
  readonly messages: number
}

const told = ({ sessions, messages }: Listed): string => `${sessions} sessions, ${messages} messages`

async function listAll(manager: SessionManager): Promise<Listed> {
  let [sessions, messages] = [0, 0]
  for await (const { messageCount } of manager.listAll()) {
    sessions += 1
    messages += messageCount
  }
  return { sessions, messages }
}

async function firstRow(manager: SessionManager): Promise<number> {
  for await (const _ of manager.listAll()) return 1
  return 0
}

const cold: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: false })
  return work(() => listAll(manager), told)
}

/** The round that is not counted fills the cache. */
const warm: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: true })
  return work(() => listAll(manager), told)
}

const again: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: true })
  for (let times = 0; times < 5; times++) await listAll(manager)
  return work(
    () => listAll(manager),
    ({ sessions }) => sessions,
  )
}

/** The least that a list can do, in a process that has warmed up: it finds the files and looks at the time of each. */
const statEach: Contender = async (folder) => {
  const root = join(folder, "agent", "sessions")
  const stats = () =>
    readdirSync(root).flatMap((bucket) =>
      readdirSync(join(root, bucket)).map((name) => statSync(join(root, bucket, name), { bigint: true }).mtimeNs),
    )
  for (let times = 0; times < 5; times++) stats()
  return work(stats, ({ length }) => length)
}

const pi: Contender = async (folder) => {
  process.env.PI_CODING_AGENT_DIR = join(folder, "agent")
  const manager = await loadPi()
  return work(
    () => manager.listAll(),
    (all) => told({ sessions: all.length, messages: all.reduce((sum, { messageCount }) => sum + messageCount, 0) }),
  )
}

/** The round that is not counted lists all before, which fills the cache. */
const first: Contender = async (folder) => {
  if (!existsSync(join(folder, "cache"))) await listAll(await loadTreelogStore(folder, { cached: true }))
  const manager = await loadTreelogStore(folder, { cached: true })
  return work(
    () => firstRow(manager),
    (rows) => rows,
  )
}

function listCase(name: string, contenders: Record<string, Contender>, sessions = SESSIONS): Case {
  return { name, size: sessions, prepare: (folder) => writeStore(folder, sessions), contenders }
}

export const list: Question = {
  name: "list",
  asks: "How long does it take to list all sessions of a store of 3,000 sessions, 1 GB?",
  rounds: 5,
  cases: [
    listCase("all, new process", { "treelog, cached": warm, "treelog, no cache": cold, pi }),
    listCase("all, same process again", { "stat each": statEach, "treelog, cached": again }),
    listCase("the first row, new process", { "treelog, cached": first }),
    listCase("all of 300, new process", { "treelog, cached": warm, "treelog, no cache": cold, pi }, 300),
  ],
}
