import { deepEqual, equal, ok, rejects } from "node:assert/strict"
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Worker } from "node:worker_threads"
import { type SessionInfo, SessionManager } from "@treelog/session-core"
import { verifySession } from "@treelog/session-core/maintenance"
import { entryFacts, MemorySessionIndex } from "@treelog/session-core/search"
import { sessionSourceContract, type TestRunner } from "@treelog/session-core/testing"
import { type FsPort, nodeFs } from "@treelog-internal/fs"
import type { SqliteDriver } from "@treelog-internal/sqlite"
import type { AgentSessionStorage } from "./agent-session-storage.js"
import { putOddValue, type Random, randomOf, withOddLine, withOddValue } from "./odd-values.js"

/** A session to write: prompts, each with an answer. */
export interface SampleSession {
  readonly id: string
  readonly cwd: string
  readonly said: readonly string[]
}

/** An agent's storage to test, and what takes the agent's place in its folder. */
export interface AgentCandidate {
  readonly name: string
  /** Opens the sessions in an agent's folder. @param fs passed on to the storage: the contract counts what is opened */
  open(dir: string, cacheDir: string | null, fs?: FsPort): AgentSessionStorage
  /** Two ids of the form that the agent gives. */
  readonly ids: readonly [string, string]
  /** Writes a session as the agent does, in the place of one with this id. @returns its key */
  write(dir: string, session: SampleSession): Promise<string>
  /** Continues a session by a prompt and its answer. */
  say(dir: string, key: string, said: string): Promise<void>
  remove(dir: string, key: string): Promise<void>
  /** Adds a record of a kind that no agent writes. @returns what the report calls it */
  addUnknown(dir: string, key: string): Promise<string>
  /** The driver of SQLite that tests change the database with, where the agent keeps its sessions in one. */
  readonly loadDriver?: () => Promise<SqliteDriver>
  /** Whether the agent makes files without a byte, which its list leaves out. Default: an empty file is an error in the list. */
  readonly makesEmptyFiles?: boolean
  /** Tests of the contract that the agent cannot pass, with the reason. */
  readonly skips?: Readonly<Record<string, string>>
}

/** How many sessions are listed: enough to see what is done for each. */
const MANY = 100
/** How often a session may be looked at, which can have several files and folders. */
const STATS = 5
/** How many odd values are tried, in so many tests. */
const ODD_CHANGES = Number(process.env.ODD_CHANGES ?? 8)
const PARTS = 2
/** How many turns are written while a session is read. */
const TURNS = 12

/**
 * Tests of a reader of an agent's sessions: those of every source, and that it lists what it reads, accounts for each
 * record, and meets damage with an answer. Tests of damage are for agents whose sessions are files.
 */
export function agentContract({ describe, it }: TestRunner, candidate: AgentCandidate): void {
  const { name, ids, open, skips = {} } = candidate
  const samples = ids.map((id, index) => ({ id, cwd: `/home/ada/shop${index}`, said: ["hello", "how are you"] }))
  sessionSourceContract(
    { describe, it },
    {
      name,
      example: open("/", null),
      setup: async () => {
        const place = await makePlace(candidate)
        const sessions: (Pick<SampleSession, "id" | "cwd"> & { key: string })[] = []
        for (const { said, ...sample } of samples)
          sessions.push({ ...sample, key: await candidate.write(place.dir, { ...sample, said }) })
        const sampleOf = (key: string) => samples[sessions.findIndex((session) => session.key === key)] ?? samples[0]
        return {
          source: place.storage,
          reopen: async () => place.open(),
          sessions,
          grow: (key) => candidate.say(place.dir, key, "one more"),
          rewrite: async (key) => {
            await candidate.remove(place.dir, key)
            await candidate.write(place.dir, { ...(sampleOf(key) as SampleSession), said: ["something else"] })
          },
          remove: (key) => candidate.remove(place.dir, key),
          state: () => stateOf(place.dir),
          teardown: place.remove,
        }
      },
    },
  )

  describe(`${name}: what it reads`, () => {
    const test = (what: string, run: (place: Place, key: string) => Promise<void>): void => {
      if (Object.hasOwn(skips, what)) return
      it(what, async () => {
        const place = await makePlace(candidate)
        try {
          await run(place, await candidate.write(place.dir, samples[0] as SampleSession))
        } finally {
          await place.remove()
        }
      })
    }

    test("is listed as it is shown, and verified", async ({ sessions }, key) => {
      const session = await sessions.open(key, { access: "read" })
      const messages = session.getEntries().filter(({ type }) => type === "message")
      await session.close()
      ok(messages.length >= 4, "prompts and answers are messages")
      const [info] = await listed(sessions)
      deepEqual([info?.id, info?.cwd, info?.firstMessage], [ids[0], samples[0]?.cwd, "hello"])
      ok((await verifySession(sessions, key)).ok, "what was converted has no fault")
    })

    test("is every record, converted, kept or skipped, and unknown kinds are named", async ({
      dir,
      storage,
      sessions,
    }, key) => {
      equal((await storage.report(key)).unknownKinds.length, 0, "kinds of the sample")
      const kind = await candidate.addUnknown(dir, key)
      const { lines, kinds, unknownKinds } = await storage.report(key)
      const counts = Object.values(kinds).map(({ converted, kept, skipped }) => converted + kept + skipped)
      equal(
        counts.reduce((sum, count) => sum + count, 0),
        lines,
        "the counted records",
      )
      const text = await linesOf(key)
      if (text !== undefined) equal(lines, text.trimEnd().split("\n").length, "each line is counted")
      deepEqual([...unknownKinds], [kind])
      const session = await sessions.open(key, { access: "read" })
      const types = session
        .getEntries()
        .flatMap((entry) => (entry.type === "custom" ? [(entry as { customType?: unknown }).customType] : []))
      await session.close()
      const isKept = types.some((type) => kind.endsWith(String(type).replace(`${storage.agent}.`, "")))
      ok(isKept, "the record is kept")
    })

    test("keeps its ids while the session grows", async ({ dir, sessions }, key) => {
      const before = await idsOf(sessions, key)
      await candidate.say(dir, key, "one more")
      const after = await idsOf(sessions, key)
      deepEqual(after.slice(0, before.length), before)
      ok(after.length > before.length)
      equal(new Set(after).size, after.length, "no id is there twice")
    })

    test("is an error in the list, and no more, where it is empty or of another program", async (place, key) => {
      if (!(await isFile(key))) return
      const other = await candidate.write(place.dir, samples[1] as SampleSession)
      const damaged = ["\0\0\0", "nonsense\n", '{"some":"thing"}\n']
      for (const content of candidate.makesEmptyFiles ? damaged : ["", ...damaged]) {
        await writeFile(key, content)
        const infos = await listed(place.sessions)
        deepEqual(
          infos.map(({ path, error }) => [path, error?.code]).sort(),
          [
            [key, "InvalidSessionError"],
            [other, undefined],
          ].sort(),
        )
        await rejects(place.sessions.open(key, { access: "read" }), { code: "InvalidSessionError" })
      }
    })

    for (let part = 0; part < PARTS; part++)
      test(`is an error at most, which names the damage, whatever one of its values is (${part + 1})`, async (place, key) => {
        const { dir } = place
        const random = randomOf(seedOf(name) + part)
        await candidate.say(dir, key, "one more")
        const other = await candidate.write(dir, samples[1] as SampleSession)
        const change = await oddChange(candidate, key, ids[1])
        for (let count = 0; count < ODD_CHANGES; count++) {
          const what = await change(random)
          await holdsBeside(new SessionManager({ storage: open(dir, null), anyFile: true }), other).catch((cause) => {
            throw new Error(`${what}: ${cause}`, { cause })
          })
        }
      })

    test("has the same bytes whether its conversion goes on where it stopped or begins at the start", async (place, key) => {
      for (let turn = 1; turn <= TURNS; turn++) {
        await candidate.say(place.dir, key, `turn ${turn}`)
        const storage = turn % 3 === 0 ? place.open() : place.storage
        equal(await textOf(storage, key), await textOf(open(place.dir, null), key))
      }
    })

    test("has the same sums whether only what was used is read or all of it", async ({ dir, storage, open }, key) => {
      await candidate.say(dir, key, "one more")
      const sums = async (source: AgentSessionStorage, only?: "usage") => {
        const index = new MemorySessionIndex(source)
        await index.update({ only })
        return Promise.all([index.usage({ by: "model" }), index.usage({ by: "session" })])
      }
      const alone = await sums(storage, "usage")
      deepEqual(alone, await sums(open()))
      deepEqual(await sums(storage, "usage"), alone)
    })

    test("is found where it was renamed to", async ({ sessions }, key) => {
      if (!(await isFile(key))) return
      const moved = join(dirname(key), "moved", "a.jsonl")
      await mkdir(dirname(moved))
      const before = await idsOf(sessions, key)
      await rename(key, moved)
      deepEqual(await idsOf(sessions, moved), before)
      await rejects(sessions.open(key, { access: "read" }), { code: "SessionNotFoundError" })
    })

    test("is read up to its last complete line, and further when that is complete", async (place, key) => {
      const text = await linesOf(key)
      if (text === undefined) return
      const before = await idsOf(place.sessions, key)
      await candidate.say(place.dir, key, "one more")
      const whole = await readFile(key)
      await writeFile(key, whole.subarray(0, Buffer.byteLength(text) + 10))
      deepEqual(await idsOf(place.sessions, key), before)
      const { lines } = await place.storage.report(key)
      equal(lines, text.trimEnd().split("\n").length + 1, "the torn line is counted")
      await writeFile(key, whole)
      const after = await idsOf(place.sessions, key)
      deepEqual(after.slice(0, before.length), before)
      ok(after.length > before.length)
    })

    test("begins as it ends, and is listed, whenever it is read while it is written", async (place, key) => {
      const reads: string[][] = []
      await readMeanwhile(candidate, place.dir, key, async () => {
        reads.push(await idsOf(place.sessions, key))
        for (const { error } of await listed(place.sessions)) equal(error, undefined)
      })
      const all = await idsOf(place.sessions, key)
      for (const ids of reads) deepEqual(ids, all.slice(0, ids.length))
    })

    test("takes a few stats in a list once it was listed, and no file is opened again", async ({ dir, cacheDir }) => {
      for (let count = 1; count < MANY; count++) {
        const id = String(count).padStart(4, "0") + ids[0].slice(4)
        await candidate.write(dir, { ...(samples[0] as SampleSession), id })
      }
      const list = async () => {
        const { fs, counts } = countingFs(dir)
        const sessions = new SessionManager({ storage: open(dir, cacheDir, fs), anyFile: true })
        equal((await listed(sessions)).length, MANY)
        return counts
      }
      await makeOld(dir)
      await list()
      const { opened, stats } = await list()
      equal(opened, 0)
      ok(stats <= STATS * MANY, `${stats} stats of ${MANY} sessions`)
    })

    test("is the same for several processes that read it at once", async ({ open }, key) => {
      const stats = await Promise.all([open(), open(), open()].map((storage) => storage.statContent(key)))
      equal(new Set(stats.map((each) => each?.identity)).size, 1)
    })
  })
}

/** Puts an odd value somewhere into the session, or beside it in its database, but not into another one. */
async function oddChange(
  { loadDriver }: AgentCandidate,
  key: string,
  other: string,
): Promise<(random: Random) => Promise<string>> {
  if (await isFile(key)) {
    const lines = (await linesOf(key))?.split("\n").filter((line) => line !== "")
    const text = await readFile(key, "utf8")
    return async (random) => {
      const { json, what } = lines ? withOddLine(lines, random) : withOddValue(text, random)
      await writeFile(key, json)
      return what
    }
  }
  const [path, driver] = [dirname(key), await loadDriver?.()]
  ok(driver, "`loadDriver` of a candidate with a database")
  const opened = driver.open(path)
  opened.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  opened.close()
  const bytes = await readFile(path)
  return async (random) => {
    await writeFile(path, bytes)
    const db = driver.open(path)
    const what = putOddValue(db, other, random)
    db.close()
    return what
  }
}

/** What an error of the program says, and no error that names what is wrong with a session. */
const UNEXPECTED = /TypeError|RangeError|URIError|is not a function|not iterable|cannot convert/

/** Whatever a session holds, another one is listed, read and found, and what is wrong is an error of treelog. */
async function holdsBeside(sessions: SessionManager<AgentSessionStorage>, other: string): Promise<void> {
  const { storage } = sessions
  const infos = await listed(sessions)
  const isNamed = (error: unknown): boolean =>
    error instanceof Object && "code" in error && "message" in error && !UNEXPECTED.test(String(error.message))
  for (const { path, error } of infos) ok(!error || isNamed(error), `${path}: ${error?.message}`)
  ok(
    infos.some(({ path, error }) => path === other && !error),
    "the other session is listed",
  )
  const index = new MemorySessionIndex(storage)
  const { failed } = await index.update()
  for (const one of failed) ok(isNamed(one), `${one.key}: ${one.message}`)
  await index.usage({ by: "session" })
  await index.search({ terms: [{ text: "hello" }] })
  for (const each of infos) {
    if (each.error) continue
    const [read] = await Promise.allSettled([readAll(sessions, each.path)])
    ok(
      read.status === "fulfilled" || isNamed(read.reason),
      `${each.path}: ${(read as PromiseRejectedResult).reason?.stack}`,
    )
  }
}

/** Reads a session in each of the ways in which it is shown. */
async function readAll(sessions: SessionManager<AgentSessionStorage>, key: string): Promise<void> {
  const session = await sessions.open(key, { access: "read" })
  for (const entry of session.getEntries()) entryFacts(entry)
  session.buildSessionContext()
  for (const { entry } of session.iterateTranscript()) entryFacts(entry)
  await session.close()
  await sessions.readContext(key)
  await verifySession(sessions, key)
  const { diagnostics } = await sessions.storage.report(key)
  for (const { message } of diagnostics) ok(!UNEXPECTED.test(message), message)
  for await (const { chunks = [] } of sessions.storage.artifacts(key)) for await (const _ of chunks);
}

function seedOf(name: string): number {
  return [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), Number(process.env.ODD_SEED ?? 0)) | 0
}

interface Place {
  readonly dir: string
  readonly cacheDir: string
  readonly storage: AgentSessionStorage
  readonly sessions: SessionManager<AgentSessionStorage>
  open(): AgentSessionStorage
  remove(): Promise<void>
}

async function makePlace({ open: openIn }: AgentCandidate): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "treelog-agent-"))
  const dir = join(root, "agent")
  const cacheDir = join(root, "cache")
  const open = () => openIn(dir, cacheDir)
  const storage = open()
  const sessions = new SessionManager({ storage, anyFile: true })
  return { dir, cacheDir, storage, sessions, open, remove: () => rm(root, { recursive: true, force: true }) }
}

async function listed(sessions: SessionManager<AgentSessionStorage>): Promise<SessionInfo[]> {
  const infos: SessionInfo[] = []
  for await (const info of sessions.listAll()) infos.push(info)
  return infos
}

async function idsOf(sessions: SessionManager<AgentSessionStorage>, key: string): Promise<string[]> {
  const session = await sessions.open(key, { access: "read" })
  const found = session.getEntries().map(({ id }) => id)
  await session.close()
  return found
}

async function textOf(storage: AgentSessionStorage, key: string): Promise<string> {
  const { size = 0, identity } = (await storage.statContent(key)) ?? {}
  return new TextDecoder().decode(await storage.readRange(key, 0, size, identity))
}

/** The text of a file of lines; undefined of a document, and of a session in a database. */
async function linesOf(path: string): Promise<string | undefined> {
  if (!(await isFile(path))) return undefined
  const text = await readFile(path, "utf8")
  const lines = text.split("\n").slice(0, -1)
  return lines.every((line) => line.startsWith("{") && line.endsWith("}")) ? text : undefined
}

/** Reads while more turns are written: of a file of lines by another thread, a few bytes at a time, so that lines are torn; else after each. */
async function readMeanwhile(
  { say }: AgentCandidate,
  dir: string,
  key: string,
  read: () => Promise<void>,
): Promise<void> {
  const before = (await linesOf(key)) === undefined ? undefined : await readFile(key)
  for (let turn = 1; turn <= TURNS; turn++) {
    await say(dir, key, `turn ${turn}`)
    if (!before) await read()
  }
  if (!before) return
  const bytes = await readFile(key)
  await writeFile(key, before)
  const worker = new Worker(WRITER, { eval: true, workerData: { key, bytes, from: before.length } })
  let isWritten = false
  const exit = new Promise<void>((resolve, reject) => worker.on("exit", () => resolve()).on("error", reject))
  const written = exit.finally(() => {
    isWritten = true
  })
  while (!isWritten) await read()
  await written
}

const WRITER = `
  const { appendFileSync } = process.getBuiltinModule("node:fs")
  const { key, bytes, from } = require("node:worker_threads").workerData
  for (let at = from; at < bytes.length; at += 97) appendFileSync(key, bytes.subarray(at, at + 97))`

/** A file system that counts what is done with files in a folder. */
function countingFs(folder: string): { fs: FsPort; counts: { opened: number; stats: number } } {
  const counts = { opened: 0, stats: 0 }
  const fs = new Proxy(nodeFs, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== "function") return method
      return (...args: unknown[]) => {
        if (String(args[0]).startsWith(folder)) {
          if (name === "open" || name === "openSync") counts.opened++
          else if (String(name).includes("stat")) counts.stats++
        }
        return method.apply(target, args)
      }
    },
  })
  return { fs, counts }
}

async function isFile(path: string): Promise<boolean> {
  const [found] = await Promise.allSettled([stat(path)])
  return found.status === "fulfilled" && found.value.isFile()
}

/** The names, sizes and times of all below a folder. */
async function stateOf(folder: string): Promise<unknown[]> {
  const state: unknown[] = []
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const { size, mtimeMs } = await stat(join(folder, name))
    state.push([name, size, mtimeMs])
  }
  return state
}

/** Gives all files of a folder a time of long ago: what was just written may change again at the same time. */
export async function makeOld(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), 1_700_000_000, 1_700_000_000)
}
