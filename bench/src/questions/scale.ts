import { loadTreelogOnPostgres, poolOf } from "../contenders/postgres.js"
import { startServer } from "../data/postgres.js"
import { type ManySessions, writeManySessions } from "../data/postgres-sessions.js"
import { percentiles, timed } from "../each.js"
import type { Case, Contender, Question } from "../question.js"
import { work } from "../work.js"

/** Without a log of what is written into new tables, which only replicas need. */
const SETTINGS = { wal_level: "minimal", max_wal_senders: "0", maintenance_work_mem: "512MB" }

const OPERATIONS = 200
const TAIL = 64 * 1024

async function fill(folder: string, many: ManySessions): Promise<void> {
  const { sessions } = await loadTreelogOnPostgres(folder)
  const pool = poolOf(folder)
  await writeManySessions(pool, sessions, many)
  const { rows } = await pool.query(
    "select pg_table_size('treelog.piece') as bytes, pg_indexes_size('treelog.piece') as index, count(*) as pieces from treelog.piece",
  )
  const [{ bytes, index, pieces }] = rows
  process.stderr.write(`${pieces} pieces, ${Math.round(bytes / 1e6)} MB and ${Math.round(index / 1e6)} MB of index\n`)
  await pool.end()
}

/** What agents do with sessions that are spread over all of them. */
const operations =
  ({ sessions: count }: ManySessions): Contender =>
  async (folder) => {
    const { storage, sessions } = await loadTreelogOnPostgres(folder)
    const ids = Array.from({ length: OPERATIONS }, () => {
      const number = 1 + Math.floor(Math.random() * count)
      return `01930000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`
    })
    const keys: string[] = []
    for (const id of ids) keys.push(await sessions.resolve({ id }))
    const list = async (): Promise<number> => {
      let listed = 0
      for await (const _ of sessions.listAll({ order: "newest", limit: 20 })) listed += 1
      return listed
    }
    // What the sample before has appended is read once.
    await list()
    return work(
      async () => {
        const line = Buffer.from(
          `${JSON.stringify({ type: "custom", id: "x", parentId: null, data: "x".repeat(1_000) })}\n`,
        )
        const append = async (key: string) => {
          const stat = await storage.stat(key)
          if (!stat) throw new Error(`There is no ${key}.`)
          const begin = performance.now()
          await storage.leaseAndAppend(key, { access: "shared", waitMs: 1_000 }, line, stat)
          return performance.now() - begin
        }
        const lists = await timed(ids.slice(0, 50), list)
        const finds = await timed(ids, (id) => sessions.resolve({ id }))
        const tails = await timed(keys, async (key) => {
          const { size = 0 } = (await storage.stat(key)) ?? {}
          return storage.readRange(key, Math.max(0, size - TAIL), TAIL)
        })
        const contexts = await timed(keys, (key) => sessions.readContext(key))
        const appends: number[] = []
        for (const key of keys) appends.push(await append(key))
        const afterAppends = await timed([0], list)
        return { lists, finds, tails, contexts, appends, afterAppends }
      },
      ({ lists, contexts }) => `${lists.times.length} lists, ${contexts.times.length} contexts`,
      ({ lists, finds, tails, contexts, appends, afterAppends }) => ({
        "append p50 ms": percentiles(appends)["p50 ms"],
        "append p95 ms": percentiles(appends)["p95 ms"],
        "find by id p50 ms": percentiles(finds.times)["p50 ms"],
        "tail of 64 KB p50 ms": percentiles(tails.times)["p50 ms"],
        "context p50 ms": percentiles(contexts.times)["p50 ms"],
        "newest 20 p50 ms": percentiles(lists.times)["p50 ms"],
        "newest 20 after 200 appends ms": percentiles(afterAppends.times)["p50 ms"],
      }),
    )
  }

function scaleCase(name: string, many: ManySessions): Case {
  return {
    name,
    size: OPERATIONS,
    prepare: (folder) => startServer(folder, () => fill(folder, many), SETTINGS),
    contenders: { treelog: operations(many) },
  }
}

const SMALL = "1,000 sessions, 10^5 pieces"
const FIGURES = ["append p50 ms", "find by id p50 ms", "tail of 64 KB p50 ms", "context p50 ms", "newest 20 p50 ms"]

export const scale: Question = {
  name: "scale",
  asks: "Do sessions in PostgreSQL take as long where there are 10^7 pieces of 10^5 sessions?",
  rounds: 3,
  cases: [
    scaleCase(SMALL, { sessions: 1_000, pieces: 100 }),
    {
      ...scaleCase("10^5 sessions, 10^7 pieces", { sessions: 100_000, pieces: 100 }),
      bars: [
        ...FIGURES.map((figure) => ({ contender: "treelog", figure, besideCase: SMALL, atMost: 1.5 })),
        { contender: "treelog", figure: "newest 20 p50 ms", atMost: 5 },
      ],
    },
  ],
}
