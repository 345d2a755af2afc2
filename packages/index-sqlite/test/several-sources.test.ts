import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemorySessionStorage, type SessionSource, TreelogError } from "@treelog/session-core"
import { type IndexSource, MemorySessionIndex, type SessionIndex } from "@treelog/session-core/search"
import { assistantMessage, bytesOf, messageEntry, sessionText, testHeader } from "@treelog-internal/test-kit"
import { expect, it } from "vitest"
import { converted } from "./converted.js"
import { tempFolder } from "./temp-folder.js"

const day = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString()

interface Written {
  readonly id: string
  /** What was answered, each with its day of January, and that it used as many tokens. */
  readonly answers: readonly (readonly [id: string, text: string, day: number])[]
  readonly created?: number
  /** The agent that the header names. */
  readonly agent?: string
}

async function write(storage: MemorySessionStorage, { id, answers, created = 1, agent }: Written): Promise<void> {
  const header = testHeader({ id, cwd: "/shop", timestamp: day(created), ...(agent && { source: { agent } }) })
  const entries = answers.map(([id, text, at]) => {
    const usage = { input: at, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: at }
    return { ...messageEntry(id, null, assistantMessage(text, { usage })), timestamp: day(at) }
  })
  const lease = await storage.lease(`memory:/shop/${id}`, { access: "exclusive", waitMs: 0 })
  await lease.create([bytesOf(sessionText(header, ...entries))])
  await lease.release()
}

/** Both indexes of some sources, up to date. */
async function indexesOf(sources: readonly IndexSource[], path = join(tempFolder(), "index.db")) {
  const indexes = [new SqliteSessionIndex({ sources, path }), new MemorySessionIndex(sources)]
  for (const index of indexes) await index.update()
  return indexes
}

/** What both answer, which must be the same. */
async function both<Answer>(
  indexes: readonly SessionIndex[],
  ask: (index: SessionIndex) => Promise<Answer>,
): Promise<Answer> {
  const [first, second] = await Promise.all(indexes.map(ask))
  expect(JSON.parse(JSON.stringify(first))).toEqual(JSON.parse(JSON.stringify(second)))
  return first as Answer
}

const hitsOf = (index: SessionIndex, query: Parameters<SessionIndex["search"]>[0]) =>
  index
    .search(query)
    .then(({ sessions }) =>
      sessions.flatMap(({ session, hits }) => hits.map(({ entryId }) => `${session.source} ${session.id} ${entryId}`)),
    )

const tokensOf = (index: SessionIndex, query: Parameters<SessionIndex["usage"]>[0] = {}) =>
  index.usage({ by: "agent", ...query }).then((rows) => rows.map(({ key, totals }) => `${key} ${totals.input}`).sort())

it("a response that several sources have counts once: for the agent that made it before copies, whatever was indexed first", async () => {
  const [claude, treelog] = [new MemorySessionStorage(), new MemorySessionStorage()]
  await write(treelog, {
    id: "s",
    agent: "claude-code",
    answers: [
      ["a", "one", 3],
      ["b", "two", 4],
    ],
  })
  await write(claude, { id: "s", created: 2, answers: [["a", "one", 3]] })
  const own = { name: "treelog", storage: treelog, agent: "treelog" }
  const agents = { name: "claude", storage: converted(claude), agent: "claude-code" }
  for (const sources of [
    [own, agents],
    [agents, own],
  ]) {
    const indexes = await indexesOf(sources)
    expect(await both(indexes, (index) => tokensOf(index))).toEqual(["claude-code 7"])
    const bySource = (index: SessionIndex) =>
      index.usage({ by: "session" }).then((rows) => rows.map(({ session, totals }) => [session?.source, totals.input]))
    expect((await both(indexes, bySource)).sort()).toEqual([
      ["claude", 3],
      ["treelog", 4],
    ])
    expect(await both(indexes, (index) => tokensOf(index, { sources: ["treelog"] }))).toEqual(["claude-code 7"])
    for (const index of indexes) await index.close()
  }
})

it("what two converted agents have is two things, and a copy of either in another store is none", async () => {
  const [cline, kilo, treelog] = [new MemorySessionStorage(), new MemorySessionStorage(), new MemorySessionStorage()]
  for (const storage of [cline, kilo, treelog]) await write(storage, { id: "1", answers: [["a", "one", 3]] })
  const indexes = await indexesOf([
    { name: "treelog", storage: treelog, agent: "treelog" },
    { name: "cline", storage: converted(cline), agent: "cline" },
    { name: "kilo", storage: converted(kilo), agent: "kilo" },
  ])
  expect(await both(indexes, (index) => tokensOf(index))).toEqual(["cline 3", "kilo 3"])
  expect(await both(indexes, (index) => tokensOf(index, { agent: "treelog" }))).toEqual(["treelog 3"])
  expect((await both(indexes, (index) => hitsOf(index, { terms: [{ text: "one" }] }))).sort()).toEqual([
    "cline 1 a",
    "kilo 1 a",
  ])
  for (const index of indexes) await index.close()
})

it("a hit names the copy that the query chooses, of those that have the entry", async () => {
  const [first, second] = [new MemorySessionStorage(), new MemorySessionStorage()]
  await write(first, {
    id: "s",
    answers: [
      ["a", "one", 3],
      ["b", "one more", 4],
    ],
  })
  await write(second, {
    id: "s",
    answers: [
      ["a", "one", 3],
      ["c", "one else", 5],
    ],
  })
  const indexes = await indexesOf([
    { name: "x", storage: first, agent: "pi" },
    { name: "y", storage: second, agent: "omp" },
  ])
  const asked: string[] = []
  const query = {
    terms: [{ text: "one" }],
    faceOf: async (copies: readonly { source?: string }[]) => {
      asked.push(
        copies
          .map(({ source }) => source)
          .sort()
          .join(),
      )
      return copies.find(({ source }) => source === "y") as never
    },
  }
  expect(await both(indexes, (index) => hitsOf(index, query))).toEqual(["y s c", "y s a", "x s b"])
  expect(asked).toEqual(["x,y", "x,y"])
  expect(await both(indexes, (index) => hitsOf(index, { terms: [{ text: "one" }] }))).toEqual([
    "y s c",
    "x s b",
    "x s a",
  ])
  for (const index of indexes) await index.close()
})

it("several indexes have their sources in one file, and each answers for its own", async () => {
  const [first, second] = [new MemorySessionStorage(), new MemorySessionStorage()]
  for (const storage of [first, second]) await write(storage, { id: "s", answers: [["a", "one", 3]] })
  const path = join(tempFolder(), "index.db")
  const [x, y] = [
    { name: "x", storage: first, agent: "pi" },
    { name: "y", storage: second, agent: "pi" },
  ]
  const [all, only] = [
    new SqliteSessionIndex({ sources: [x, y], path }),
    new SqliteSessionIndex({ sources: [y], path }),
  ]
  expect((await all.update()).read).toBe(2)
  expect((await only.update()).read).toBe(0)
  const term = { terms: [{ text: "one" }] }
  expect([await hitsOf(all, term), await hitsOf(only, term)]).toEqual([["x s a"], ["y s a"]])
  expect([await tokensOf(all), await tokensOf(only)]).toEqual([["pi 3"], ["pi 3"]])
  expect([(await all.status()).sessions, (await only.status()).sessions, await only.ids()]).toEqual([2, 1, ["s"]])
  await second.lease("memory:/shop/s", { access: "exclusive", waitMs: 0 }).then(async (lease) => {
    await lease.remove()
    await lease.release()
  })
  expect(await only.update()).toMatchObject({ removed: 1 })
  expect([await hitsOf(all, term), await hitsOf(only, term)]).toEqual([["x s a"], []])
  await Promise.all([all.close(), only.close()])
})

it("a source that cannot be read is reported once, and ends no answer over others", async () => {
  const [sound, broken] = [new MemorySessionStorage(), new MemorySessionStorage()]
  for (const storage of [sound, broken])
    await write(storage, { id: "s", answers: [["a", `one of ${storage === sound}`, 3]] })
  let isBroken = false
  const fail = (): never => {
    throw new TreelogError("StorageError", "The server is gone.", { key: "y", operation: "read", errno: "EIO" })
  }
  const readable = converted(broken)
  const storage: SessionSource = {
    ...readable,
    list: (filter) => (isBroken ? fail() : readable.list(filter)),
    readRange: (...range) => (isBroken ? fail() : readable.readRange(...range)),
  }
  const sources = [
    { name: "x", storage: sound, agent: "pi" },
    { name: "y", storage, agent: "pi" },
  ]
  const index = new SqliteSessionIndex({ sources, path: join(tempFolder(), "index.db") })
  await index.update()
  isBroken = true
  const reported: string[] = []
  const onUnreadableSource = (source: string) => void reported.push(source)
  await expect(index.update()).rejects.toThrow("The server is gone.")
  expect(await index.update({ onUnreadableSource })).toMatchObject({ total: 1, removed: 0 })
  expect(await hitsOf(index, { terms: [{ text: "one" }], onUnreadableSource })).toEqual(["x s a"])
  expect(reported).toEqual(["y", "y"])
  await expect(index.search({ terms: [{ text: "one" }] })).rejects.toThrow("The server is gone.")
  expect(await tokensOf(index)).toEqual(["pi 6"])
  await index.close()
})

it("a source that is another agent's than before is read anew, and what counts is decided anew", async () => {
  const [named, treelog] = [new MemorySessionStorage(), new MemorySessionStorage()]
  await write(named, { id: "s", answers: [["a", "one", 3]] })
  await write(treelog, {
    id: "s",
    created: 2,
    answers: [
      ["a", "one", 3],
      ["b", "two", 4],
    ],
  })
  const path = join(tempFolder(), "index.db")
  const sources = (agent: string): IndexSource[] => [
    { name: "/agent", storage: named, agent },
    { name: "/treelog", storage: treelog, agent: "treelog" },
  ]
  for (const agent of ["treelog", "/agent", "treelog"]) {
    const indexes = await indexesOf(sources(agent), path)
    expect(await both(indexes, (index) => tokensOf(index))).toEqual(
      agent === "treelog" ? ["treelog 7"] : [`${agent} 3`, "treelog 4"],
    )
    expect(await both(indexes, (index) => hitsOf(index, { terms: [{ text: "one" }] }))).toEqual(["/agent s a"])
    for (const index of indexes) await index.close()
  }
})

it("a copy of what two converted agents have counts in neither's place, whatever was indexed first", async () => {
  const [cline, kilo, treelog] = [new MemorySessionStorage(), new MemorySessionStorage(), new MemorySessionStorage()]
  for (const storage of [cline, kilo, treelog]) await write(storage, { id: "1", answers: [["a", "one", 3]] })
  const sources = [
    { name: "treelog", storage: treelog, agent: "treelog" },
    { name: "cline", storage: converted(cline), agent: "cline" },
    { name: "kilo", storage: converted(kilo), agent: "kilo" },
  ]
  const path = join(tempFolder(), "index.db")
  const first = new SqliteSessionIndex({ sources, path })
  for (const source of ["cline", "treelog", "kilo"]) await first.update({ sources: [source] })
  await first.close()
  const indexes = await indexesOf(sources, path)
  for (const some of [
    ["treelog", "kilo"],
    ["treelog", "cline"],
  ])
    expect(await both(indexes, (index) => tokensOf(index, { sources: some }))).toEqual([`${some[1]} 3`])
  for (const index of indexes) await index.close()
})
