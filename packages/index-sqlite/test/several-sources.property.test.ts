import { join } from "node:path"
import { SqliteSessionIndex } from "@treelog/index-sqlite"
import { MemoryBlobStore, MemorySessionStorage, SessionManager } from "@treelog/session-core"
import { type IndexSource, MemorySessionIndex, parseQuery, type SessionIndex } from "@treelog/session-core/search"
import {
  bytesOf,
  StoreProgram,
  type StoreStep,
  storeQueries,
  storeSteps,
  testClock,
  testIds,
  textOf,
  tries,
} from "@treelog-internal/test-kit"
import fc from "fast-check"
import { expect, it } from "vitest"
import { converted } from "./converted.js"
import { tempFolder } from "./temp-folder.js"

const NOW = Date.UTC(2026, 2, 12)
/** Sources, and whether their sessions can be changed by treelog. */
const AGENTS = [
  ["claude-code", false],
  ["cline", false],
  ["pi", true],
  ["treelog", true],
] as const

/** A session that is imported, resumed in another agent, or copied with a backup: its entries stay as they are, unless it ends within a reply. */
interface Copy {
  readonly from: number
  readonly to: number
  /** Which of the sessions, counted round. */
  readonly at: number
  /** Whether its header names the agent that it is from. */
  readonly isMarked: boolean
  readonly endsWithinReply: boolean
}

interface Round {
  /** What happens in each of some sources, in this order. */
  readonly steps: readonly { readonly source: number; readonly step: StoreStep }[]
  readonly copies: readonly Copy[]
  /** The sources that are indexed alone before all are: of each whether by an index of its own, and whether only what was used is. */
  readonly first: readonly { readonly source: number; readonly isOwn: boolean; readonly isUsageAlone: boolean }[]
}

const source = fc.nat(AGENTS.length - 1)
const steps = storeSteps.chain((all) =>
  fc
    .array(source, { minLength: all.length, maxLength: all.length })
    .map((sources) => all.map((step, at) => ({ step, source: sources[at] as number }))),
)
const copy = fc.record({
  from: source,
  to: source,
  at: fc.nat(20),
  isMarked: fc.boolean(),
  endsWithinReply: fc.boolean(),
})
const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    steps,
    copies: fc.array(copy, { maxLength: 5 }),
    first: fc.array(fc.record({ source, isOwn: fc.boolean(), isUsageAlone: fc.boolean() }), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
)

/** Four stores with what happens to them, and copies between them. */
class Machine {
  readonly #storages = AGENTS.map(() => new MemorySessionStorage())
  readonly #clock = testClock()
  readonly #programs: readonly StoreProgram[]
  readonly sources: readonly IndexSource[]

  constructor() {
    this.#programs = this.#storages.map((storage, at) => {
      const options = { storage, blobs: new MemoryBlobStore(), clock: this.#clock, ids: testIds(at + 1) }
      return new StoreProgram(new SessionManager(options), storage, at * 1000)
    })
    this.sources = AGENTS.map(([agent, isWritable], at) => {
      const storage = this.#storages[at] as MemorySessionStorage
      return { name: `/${agent}`, agent, storage: isWritable ? storage : converted(storage) }
    })
  }

  async run({ steps, copies }: Round): Promise<void> {
    for (const { source, step } of steps) {
      this.#clock.time += 3_600_000
      await this.#programs[source]?.run(step)
    }
    for (const one of copies) await this.#copy(one)
  }

  /** Replaces an older copy. */
  async #copy({ from, to, at, isMarked, endsWithinReply }: Copy): Promise<void> {
    const [source, target] = [this.#storages[from], this.#storages[to]] as [MemorySessionStorage, MemorySessionStorage]
    const keys: string[] = []
    for await (const { key, error } of source.list()) if (!error) keys.push(key)
    const key = keys.sort()[at % keys.length]
    const stat = key === undefined ? undefined : await source.stat(key)
    if (from === to || key === undefined || stat === undefined) return
    const bytes = await source.readRange(key, 0, stat.size, stat.identity)
    const [first = "", ...all] = textOf(bytes).split("\n")
    const lines = endsWithinReply ? cutWithinReply(all) : all
    const header = { ...JSON.parse(first), ...(isMarked && { source: { agent: AGENTS[from]?.[0] } }) }
    const lease = await target.lease(key, { access: "exclusive", waitMs: 0 })
    if (await target.stat(key)) await lease.remove()
    await lease.create([bytesOf([JSON.stringify(header), ...lines].join("\n"))])
    await lease.release()
  }
}

/** The lines to the last reply, of which only the text is there. */
function cutWithinReply(lines: readonly string[]): string[] {
  const at = lines.map((line) => line.includes('"role":"assistant"')).lastIndexOf(true)
  if (at < 0) return [...lines]
  const reply = JSON.parse(lines[at] as string)
  reply.message.content = [{ type: "text", text: String(reply.message.content[0].text).slice(0, 3) }]
  return [...lines.slice(0, at), JSON.stringify(reply), ""]
}

const FILTERS = [
  {},
  { project: "shop" },
  { agent: "pi" },
  { agent: "claude-code" },
  { since: Date.UTC(2026, 2, 6) },
  { file: ["retry.ts"] },
  { sources: ["/pi", "/treelog"] },
  { sources: ["/cline", "/treelog"] },
]
const KINDS = ["total", "day", "model", "project", "session", "agent"] as const

/** The last of them by their places. */
const faceOf: NonNullable<Parameters<SessionIndex["search"]>[0]["faceOf"]> = async (copies) =>
  [...copies].sort((a, b) => (`${a.source} ${a.key}` < `${b.source} ${b.key}` ? 1 : -1))[0] as never

async function expectSame(index: SessionIndex, oracle: SessionIndex, queries: readonly string[]): Promise<void> {
  for (const filter of FILTERS) {
    for (const by of KINDS)
      expect(await index.usage({ by, ...filter }), `${by} ${JSON.stringify(filter)}`).toEqual(
        await oracle.usage({ by, ...filter }),
      )
    for (const face of [{}, { faceOf }]) {
      const query = { path: "retry.ts", limit: 10_000, ...filter, ...face }
      expect(await index.files(query), `files ${JSON.stringify(query)}`).toEqual(await oracle.files(query))
    }
    for (const text of queries)
      for (const choice of [{ limit: 3 }, { limit: 10_000, faceOf }, { limit: 10_000, distinct: "session" as const }]) {
        const query = { ...parseQuery(text, NOW), ...filter, ...choice }
        expect(await index.search(query), JSON.stringify(query)).toEqual(await oracle.search(query))
      }
  }
}

async function follow(rounds: readonly Round[], queries: readonly string[]): Promise<void> {
  const machine = new Machine()
  const { sources } = machine
  const path = join(tempFolder(), "index.db")
  const index = new SqliteSessionIndex({ sources, path })
  const indexes = [index]
  for (const round of rounds) {
    await machine.run(round)
    for (const { source, isOwn, isUsageAlone } of round.first) {
      const one = sources[source] as IndexSource
      const own = isOwn ? new SqliteSessionIndex({ sources: [one], path }) : index
      indexes.push(own)
      await own.update({ sources: [one.name ?? ""], only: isUsageAlone ? "usage" : undefined })
      const oracle = new MemorySessionIndex([one])
      await oracle.update()
      for (const by of KINDS)
        expect(await own.usage({ by, sources: [one.name ?? ""] })).toEqual(await oracle.usage({ by }))
    }
    await index.update()
    const oracle = new MemorySessionIndex(sources)
    await oracle.update()
    await expectSame(index, oracle, queries)
  }
  await Promise.all(indexes.map((one) => one.close()))
}

it("an index of several sources answers as a scan of all their texts does, in whatever order they were indexed", async () => {
  const queries = fc.array(storeQueries, { minLength: 2, maxLength: 4 })
  await fc.assert(fc.asyncProperty(rounds, queries, follow), { numRuns: tries(6) })
})
