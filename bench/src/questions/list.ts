import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { SessionManager } from "@treelog/session-core"
import { type Bar, MB } from "../bar.js"
import { bareNode } from "../contenders/command.js"
import { besidePeers } from "../contenders/peers.js"
import { firstOfStoreCommand, firstScreen, storeCommand, TERMINAL_IS_ABSENT } from "../contenders/store-command.js"
import { loadTreelogStore } from "../contenders/treelog.js"
import { writeSmallStore } from "../data/small-store.js"
import { writeStore } from "../data/store.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

const SESSIONS = 3_000
/** Lists before the one that is measured in the same process: enough for the code to be compiled. */
const WARM_UPS = 8

interface Listed {
  readonly sessions: number
  readonly messages: number
}

const describe = ({ sessions, messages }: Listed): string => `${sessions} sessions, ${messages} messages`

async function listAll(
  manager: SessionManager,
  options: Parameters<SessionManager["listAll"]>[0] = {},
): Promise<Listed> {
  let [sessions, messages] = [0, 0]
  for await (const { messageCount = 0 } of manager.listAll(options)) {
    sessions += 1
    messages += messageCount
  }
  return { sessions, messages }
}

async function firstRow(manager: SessionManager): Promise<string> {
  for await (const { path } of manager.listAll({ order: "newest" })) return path
  return ""
}

const cold: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: false })
  return work(() => listAll(manager), describe)
}

/** The round that is not counted fills the cache. */
const warm: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: true })
  return work(() => listAll(manager), describe)
}

const again: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: true })
  for (let times = 0; times < WARM_UPS; times++) await listAll(manager)
  return work(
    () => listAll(manager),
    ({ sessions }) => sessions,
  )
}

/** The least that a list can do, in a process that has warmed up: it finds the files and reads the time of each. */
const statEach: Contender = async (folder) => {
  const root = join(folder, "agent", "sessions")
  const stats = () =>
    readdirSync(root).flatMap((bucket) =>
      readdirSync(join(root, bucket)).map((name) => statSync(join(root, bucket, name), { bigint: true }).mtimeNs),
    )
  for (let times = 0; times < WARM_UPS; times++) stats()
  return work(stats, ({ length }) => length)
}

const beside = besidePeers({ contenders: { "treelog, cached": warm, "treelog, no cache": cold } }, async (managers) =>
  work(
    () => managers.listAll(),
    (all) => describe({ sessions: all.length, messages: all.reduce((sum, { messageCount }) => sum + messageCount, 0) }),
  ),
)

/** The newest of all: every file was listed before. The round that is not counted lists all before, which fills the cache. */
const first: Contender = async (folder) => {
  if (!existsSync(join(folder, "cache"))) await listAll(await loadTreelogStore(folder, { cached: true }))
  const manager = await loadTreelogStore(folder, { cached: true })
  return work(
    () => firstRow(manager),
    (path) => path.slice(folder.length),
  )
}

/** `@last`, for the first time: nothing is known of any session. */
const last: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: false })
  return work(
    () => manager.resolve("@last"),
    (path) => path.slice(folder.length),
  )
}

function listCase(name: string, rest: Omit<Case, "name" | "size" | "prepare">, sessions = SESSIONS): Case {
  return { name, size: sessions, prepare: (folder) => writeStore(folder, sessions), ...rest }
}

function timesPi(cached: number, uncached: number): Bar[] {
  return [
    { contender: "treelog, cached", beside: "pi", atLeast: cached },
    { contender: "treelog, no cache", beside: "pi", atLeast: uncached },
  ]
}

/** What lists of ever more sessions take of memory. The cache is filled by the round that is not counted. */
function memoryCases(): Case[] {
  const contenders: Record<string, Contender> = {
    "as found": warm,
    "newest first": async (folder) => {
      const manager = await loadTreelogStore(folder, { cached: true })
      return work(() => listAll(manager, { order: "newest" }), describe)
    },
  }
  const newest: Contender = async (folder) => {
    const manager = await loadTreelogStore(folder, { cached: true })
    return work(
      () => listAll(manager, { order: "newest", limit: 20 }),
      ({ sessions }) => sessions,
    )
  }
  const name = "small sessions"
  return [300, 3_000, 30_000].map((sessions) => ({
    name: `${name}, ${sessions.toLocaleString("en")}`,
    series: { name, at: sessions },
    size: sessions,
    rounds: 3,
    prepare: (folder) => writeSmallStore(folder, sessions),
    contenders,
    probes: { "the newest 20": newest },
    bars: Object.keys(contenders).map((contender) => ({ contender, figure: "peakRss", atMost: 100 * MB })),
  }))
}

export const list: Question = {
  name: "list",
  asks: "How long does it take to list all sessions of a store of 3,000 sessions, 1 GB?",
  rounds: 7,
  cases: [
    listCase("all, new process", { ...beside, bars: timesPi(100, 4) }),
    listCase("all, same process again", {
      contenders: { "treelog, cached": again },
      probes: { "stat each": statEach },
      bars: [{ contender: "treelog, cached", beside: "stat each", atMost: 1.5 }],
    }),
    listCase("the newest row, new process", {
      contenders: { "treelog, cached": first },
      probes: { "@last, no cache": last },
      bars: [{ contender: "treelog, cached", atMost: 50 }],
    }),
    listCase("the newest row, the command", {
      isSpawned: true,
      contenders: { "treelog list --all": firstOfStoreCommand("list", "--all") },
      probes: { "treelog list --all, to its end": storeCommand("list", "--all"), "node's start": bareNode },
      bars: [{ contender: "treelog list --all", beside: "node's start", within: 50 }],
    }),
    listCase("the first screen of the finder, the command", {
      isSpawned: true,
      contenders: TERMINAL_IS_ABSENT === undefined ? { "treelog resume --all": firstScreen("resume", "--all") } : {},
      ...(TERMINAL_IS_ABSENT !== undefined && { absent: { "treelog resume --all": TERMINAL_IS_ABSENT } }),
      probes: { "node's start": bareNode },
      bars: [{ contender: "treelog resume --all", beside: "node's start", within: 150 }],
    }),
    listCase("all of 300, new process", beside, 300),
    ...memoryCases(),
  ],
}
