import { loadTreelogOnPostgres, openStore, poolOf, type StoreName } from "../contenders/postgres.js"
import { startServer } from "../data/postgres.js"
import { writeManySessions } from "../data/postgres-sessions.js"
import { percentiles, timed } from "../each.js"
import type { Case, Contender } from "../question.js"
import { work } from "../work.js"

const COUNT = 100_000
const WANTED = 20
const LISTS = Array.from({ length: 20 })

/** All contenders have the same sessions and times; those of the others have one short line. */
async function writeAll(folder: string): Promise<void> {
  const { sessions } = await loadTreelogOnPostgres(folder)
  const pool = poolOf(folder)
  await writeManySessions(pool, sessions, { sessions: COUNT, pieces: 0 })
  for (const name of ["omp", "claude"] as const) await openStore(name, folder)
  await pool.query(`insert into session_file (path, content, mtime_ms) select id, '{}', modified from treelog.session`)
  await pool.query(`insert into session_entry (project_key, session_id, entry, created_at)
    select '-home-dev-shop', id, '{}', to_timestamp(modified / 1000) from treelog.session`)
  await pool.query("vacuum (analyze) session_file")
  await pool.query("vacuum (analyze) session_entry")
  await pool.end()
}

function newest(store: StoreName): Contender {
  return async (folder) => {
    const postgres = await openStore(store, folder)
    return work(
      () => timed(LISTS, () => postgres.newest(WANTED)),
      ({ last }) => String(last),
      ({ times }) => percentiles(times),
    )
  }
}

/** With treelog: of one folder of a hundred. */
function newestOf(cwd: string): Contender {
  return async (folder) => {
    const { sessions } = await loadTreelogOnPostgres(folder)
    return work(
      () => timed(LISTS, () => sessions.recent(cwd, WANTED)),
      ({ last = [] }) => last.length,
      ({ times }) => percentiles(times),
    )
  }
}

export const LISTS_OF_MANY: readonly Case[] = [
  {
    name: "the newest 20 of 100,000, 20 times",
    size: LISTS.length,
    prepare: (folder) => startServer(folder, () => writeAll(folder)),
    contenders: { treelog: newest("treelog"), omp: newest("omp"), claude: newest("claude") },
    probes: { "treelog, of a folder": newestOf("/home/dev/project-7") },
    bars: [
      { contender: "treelog", figure: "p50 ms", atMost: 5 },
      { contender: "treelog, of a folder", figure: "p50 ms", atMost: 5 },
    ],
  },
]
