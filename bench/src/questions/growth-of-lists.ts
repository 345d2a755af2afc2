import { appendFileSync, copyFileSync, mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import type { SessionManager } from "@treelog/session-core"
import { loadPi } from "../contenders/pi.js"
import { loadTreelogStore } from "../contenders/treelog.js"
import { sessionIn } from "../data/case-files.js"
import type { Case, Contender } from "../question.js"
import { work } from "../work.js"

const PLACE = "agent/sessions/--home-dev-shop--/2026-03-02T09-00-00-000Z_01a1ffe2-d280-7bb1-a556-12fe779ad53a.jsonl"

const storedIn = (folder: string): string => join(folder, PLACE)

/** A store of this one session, which may grow. */
function prepare(folder: string): void {
  mkdirSync(dirname(storedIn(folder)), { recursive: true })
  copyFileSync(sessionIn(folder), storedIn(folder))
}

async function messagesListed(manager: SessionManager): Promise<number> {
  let messages = 0
  for await (const { messageCount = 0 } of manager.listAll()) messages += messageCount
  return messages
}

const uncached: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: false })
  return work(() => messagesListed(manager), String)
}

/** The round that is not counted fills the cache. */
const cached: Contender = async (folder) => {
  const manager = await loadTreelogStore(folder, { cached: true })
  return work(() => messagesListed(manager), String)
}

/** Since the last list, one entry was appended, which is no message. */
const cachedAfterAppend: Contender = async (folder) => {
  appendFileSync(storedIn(folder), `${JSON.stringify({ type: "custom", id: String(process.pid), parentId: null })}\n`)
  return cached(folder, "")
}

const pi: Contender = async (folder) => {
  process.env.PI_CODING_AGENT_DIR = join(folder, "agent")
  const manager = await loadPi()
  return work(
    () => manager.listAll(),
    (all) => String(all.reduce((sum, { messageCount = 0 }) => sum + messageCount, 0)),
  )
}

/** What it costs to list a session of so many entries: for the first time, again, and after it has grown by one. */
export function growthOfLists(sizes: readonly number[]): Case[] {
  const listed = (name: string, contenders: Record<string, Contender>, flat?: string): Case[] =>
    sizes.map((entries) => ({
      name: `${name}, at ${entries.toLocaleString("en")}`,
      series: { name, at: entries },
      size: 1,
      data: { "session.jsonl": { kind: "chain", entries } },
      prepare,
      contenders,
      ...(flat !== undefined &&
        entries === sizes.at(-1) && { bars: [{ contender: flat, besideCase: `${name}, at 10,000`, atMost: 1.5 }] }),
    }))
  return [
    ...listed("list it", { "treelog, cached": cached, "treelog, no cache": uncached, pi }, "treelog, cached"),
    ...listed("list it after an append", { "treelog, cached": cachedAfterAppend }, "treelog, cached"),
  ]
}
