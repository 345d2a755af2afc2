import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { loadDriver } from "@treelog/index-sqlite"
import { parseQuery } from "@treelog/session-core/search"
import { isKeptStore, keptPlace, openLibrary, restoreKept } from "@treelog/stores"
import { tries } from "@treelog-internal/test-kit"
import { expect, test } from "vitest"
import { MAIN } from "../built-imports.js"
import { Sandbox } from "../sandbox.js"
import { WRITTEN_AGENTS, type WrittenAgent } from "./agent-homes.js"

// Sessions of twelve agents are appended to, rewritten, cut, deleted, moved and written again at random while `keep` runs and is killed. What a run that
// ended well had found is listed, found, shown and given back afterwards. KEEP_MESSAGES and KEEP_SEED make it longer, and another one.

const MESSAGES = Number(process.env.KEEP_MESSAGES ?? 2_000 * tries(1))
const SEED = Number(process.env.KEEP_SEED ?? 20261129)
const SESSIONS = 10

interface Written {
  readonly agent: WrittenAgent
  readonly id: string
  texts: string[] | undefined
  place: number
}

/** Numbers that are the same for a seed, below one. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A text of a message has one such word, which no other has. */
const WORD = /keepmark\d{7}/g

test("every message that a run of keep had found is listed, found, shown and given back, whatever agents do meanwhile", async () => {
  const box = new Sandbox()
  const env = {
    HOME: box.folder,
    TREELOG_AGENT_DIR: box.agentDir,
    TREELOG_CACHE_DIR: box.cacheDir,
    PATH: process.env.PATH,
  }
  const random = randomOf(SEED)
  const below = (limit: number): number => Math.floor(random() * limit)
  const figures: Record<string, number> = {}
  const count = (what: string, by = 1): void => {
    figures[what] = (figures[what] ?? 0) + by
  }
  let words = 0
  const newTexts = (most: number): string[] =>
    Array.from(
      { length: 1 + below(most) },
      () => `The keepmark${String(words++).padStart(7, "0")} of the ${below(1000)} planks`,
    )

  const sessions = WRITTEN_AGENTS.flatMap((agent) =>
    Array.from(
      { length: SESSIONS },
      (_, at): Written => ({ agent, id: agent.idOf(at + 1), texts: undefined, place: 0 }),
    ),
  )
  const most = Math.max(2, Math.ceil(MESSAGES / (SESSIONS * WRITTEN_AGENTS.length * 4)))

  /** Does to a session what agents do. @returns whether something that it had is gone */
  async function change(session: Written): Promise<boolean> {
    const { agent, id, texts } = session
    const kind = texts ? below(10) : 0
    if (!texts || kind < 5) session.texts = [...(texts ?? []), ...newTexts(most)]
    else if (kind === 5) session.texts = texts.slice(0, below(texts.length))
    else if (kind === 6) session.texts = texts.map((text) => (below(8) === 0 ? (newTexts(1)[0] as string) : text))
    else if (kind === 7) session.texts = undefined
    else if (kind === 8) session.texts = [...newTexts(most), ...texts.slice(below(texts.length))]
    else if (agent.isMovable && agent.move) {
      agent.move(box.folder, id, session.place, 1 - session.place)
      session.place = 1 - session.place
      count("moved")
      return true
    }
    count(
      ["appended", "appended", "appended", "appended", "appended", "cut", "rewritten", "deleted", "shrunk"][kind] ??
        "kept",
    )
    if (session.texts?.length === 0) session.texts = newTexts(1)
    await agent.write(box.folder, id, session.texts, session.place)
    return kind >= 5
  }

  const acknowledged = new Map<string, Written>()
  const run = (): ChildProcess =>
    spawn(process.execPath, [MAIN, "keep", "--quiet"], { cwd: box.project, env, stdio: ["ignore", "ignore", "pipe"] })
  while (words < MESSAGES || acknowledged.size < MESSAGES / 2) {
    for (const session of sessions) if (below(3) === 0) await change(session)
    const found = new Map<string, Written>()
    for (const session of sessions)
      for (const text of session.texts ?? []) for (const [word] of text.matchAll(WORD)) found.set(word, session)
    const child = run()
    let errors = ""
    child.stderr?.on("data", (data) => {
      errors += data
    })
    const closed = once(child, "close")
    const kill = below(3) === 0 ? setTimeout(() => child.kill("SIGKILL"), below(2_500)) : undefined
    const disturbed = new Set<Written>()
    for (const session of sessions) if (below(30) === 0 && (await change(session))) disturbed.add(session)
    const [code, signal] = await closed
    clearTimeout(kill)
    count(signal ? "runs killed" : "runs that ended")
    if (signal) continue
    // One that wrote while it was read may be busy.
    expect(code === 0 || errors.includes("SQLITE_BUSY") || disturbed.size > 0, errors).toBe(true)
    if (code !== 0) continue
    for (const [word, session] of found) if (!disturbed.has(session)) acknowledged.set(word, session)
  }
  await once(run(), "close")
  count("messages acknowledged", acknowledged.size)

  const library = await openLibrary({ env, cwd: box.project })
  const listed = new Set<string>()
  for await (const { id } of library.list()) listed.add(id)
  const missing = (words: ReadonlySet<string>): string[] =>
    [...acknowledged].filter(([word]) => !words.has(word)).map(([word, { agent, id }]) => `${word} ${agent.name} ${id}`)
  expect([...acknowledged].filter(([, { id }]) => !listed.has(id)).map(([word, { id }]) => `${word} ${id}`)).toEqual([])

  const shown = new Set<string>()
  const keys: { store: string; key: string; id: string }[] = []
  for (const source of library.sources)
    for await (const { key, id = "" } of source.storage.list({ parts: true })) {
      const session = await (await source.manager(key)).open(key, { access: "read" })
      for (const entry of session.getEntries())
        for (const [word] of JSON.stringify(entry).matchAll(WORD)) shown.add(word)
      await session.close()
      if (isKeptStore(source.name)) keys.push({ store: source.name, key, id })
    }
  count("sessions that copies have", keys.length)
  expect(missing(shown)).toEqual([])

  await library.update()
  const asked = { ...parseQuery("keepmark", 0), limit: Number.MAX_SAFE_INTEGER, snippet: 200 }
  const { sessions: hits } = await library.search(asked)
  const searched = new Set<string>()
  for (const hit of hits) for (const [word] of JSON.stringify(hit.hits).matchAll(WORD)) searched.add(word)
  expect(missing(searched)).toEqual([])

  const bytes = new Set<string>()
  await wordsBelow(join(box.agentDir, "kept"), bytes)
  expect(missing(bytes)).toEqual([])

  // What is gone comes back in the bytes that it had.
  for (const { store, key, id } of keys.filter(({ store }) => /:kept$/.test(store))) {
    const place = keptPlace({ env, cwd: box.project }, store)
    const source = library.sources.find(({ name }) => name === store)
    if (!place || !source || existsSync(key.replace(place.folder, place.original))) continue
    const { files, path } = await restoreKept({ place, storage: source.storage, key, id })
    count("sessions restored")
    if (existsSync(key)) expect(readFileSync(path).equals(readFileSync(key))).toBe(true)
    else expect(files).toEqual([])
  }
  process.stdout.write(`${JSON.stringify({ seed: SEED, ...figures })}\n`)
}, 3_600_000)

/** The words in all files of a folder, and in all rows of databases. */
async function wordsBelow(folder: string, words: Set<string>): Promise<void> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const text = /\.db$/.test(path) ? await rowsOf(path) : readFileSync(path, "utf8")
    for (const [word] of text.matchAll(WORD)) words.add(word)
  }
}

async function rowsOf(path: string): Promise<string> {
  const db = (await loadDriver()).open(path)
  try {
    const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>()
    return tables.map(({ name }) => JSON.stringify(db.prepare(`SELECT * FROM ${name}`).all())).join("\n")
  } finally {
    db.close()
  }
}
