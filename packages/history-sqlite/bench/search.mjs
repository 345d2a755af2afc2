// How fast is the prompt history at a million prompts? Typed queries, recents and import, beside the obvious query over the
// same table and beside LIKE. `node bench/search.mjs [prompts]` prints JSON.
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import Database from "better-sqlite3"
import { build } from "esbuild"
import { prompts, typedQueries } from "./prompts.mjs"

const LIMIT = 100
/** LIKE looks at all rows for what is rare, so that few queries have to do. */
const MOST_SLOW = 12

const count = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), "treelog-bench-history-"))
try {
  console.log(JSON.stringify(await measure(), null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure() {
  const { SqlitePromptHistory } = await sources()
  const path = join(folder, "history.db")
  const history = new SqlitePromptHistory({ path, ignore: { secrets: false } })
  const all = [...prompts(count)]
  const imported = await time(() => history.import(all))
  const withSecrets = new SqlitePromptHistory({ path: join(folder, "secrets.db") })
  const few = Math.min(count, 100_000)
  const checked = await time(() => withSecrets.import(all.slice(-few)))
  await withSecrets.close()
  await history.recent()
  const recents = await times(Array(200).fill(""), () => history.recent({ limit: LIMIT }))
  const queries = typedQueries()
  const ours = await byKind(queries, (query) => history.search(query, { limit: LIMIT }))
  const folderRecents = await times(Array(50).fill(""), () =>
    history.recent({ limit: LIMIT, scope: { kind: "cwd", cwd: "/home/user/project-150" } }),
  )
  const add = await times(
    Array.from({ length: 200 }, (_, at) => `a new prompt, number ${at}`),
    async (text) => {
      history.add(text, { cwd: "/home/user/project-1" })
      await history.flush()
    },
  )
  const [newest] = await history.recent({ limit: 1 })
  const deletion = await time(() => history.delete({ id: newest.id }))
  await history.close()
  return {
    prompts: count,
    megabytes: Math.round(statSync(path).size / 1e6),
    "import rows/s": Math.round((count / imported.ms) * 1000),
    "import rows/s of CPU time": Math.round((count / imported.cpu) * 1000),
    "import rows/s, secrets checked": Math.round((few / checked.ms) * 1000),
    "recents ms": recents,
    "recents of a folder ms": folderRecents,
    "add and flush ms": add,
    "delete one ms": Math.round(deletion.ms),
    "search ms": ours,
    ...(await obvious(path, queries)),
  }
}

/** What one would write first: words by FTS5, sorted by time; and LIKE, which finds the middle of words. */
async function obvious(path, queries) {
  const db = new Database(path, { readonly: true })
  const match = db.prepare(
    "SELECT history.* FROM history_fts JOIN history ON history.id = history_fts.rowid WHERE history_fts MATCH ? ORDER BY created_at DESC LIMIT ?",
  )
  const like = db.prepare("SELECT * FROM history WHERE prompt LIKE ? ESCAPE '\\' ORDER BY created_at DESC LIMIT ?")
  const words = (query) =>
    query
      .split(" ")
      .map((word) => `"${word.replaceAll('"', '""')}"*`)
      .join(" ")
  const result = {
    "MATCH ... ORDER BY created_at ms": await byKind(queries, (query) => match.all(words(query), LIMIT), 60),
    "LIKE ms": await byKind(queries, (query) => like.all(`%${query.replace(/[\\%_]/g, "\\$&")}%`, LIMIT), MOST_SLOW),
  }
  db.close()
  return result
}

async function byKind(queries, search, most = Number.POSITIVE_INFINITY) {
  const results = {}
  const all = []
  for (const [kind, list] of Object.entries(queries)) {
    const every = Math.max(1, Math.ceil(list.length / most))
    const samples = await samplesOf(
      list.filter((_, at) => at % every === 0),
      search,
    )
    results[kind] = summary(samples)
    all.push(...samples)
  }
  return { all: summary(all), ...results }
}

async function times(inputs, run) {
  return summary(await samplesOf(inputs, run))
}

async function samplesOf(inputs, run) {
  const samples = []
  for (const input of inputs) samples.push(await time(() => run(input)))
  return samples
}

async function time(run) {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  await run()
  const { user, system } = process.cpuUsage(cpu)
  return { ms: performance.now() - start, cpu: (user + system) / 1000 }
}

/** Also of the CPU time, which tells more where the machine is shared. */
function summary(samples) {
  const at = (field, part) => {
    const sorted = samples.map((sample) => sample[field]).sort((a, b) => a - b)
    return Number(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))].toFixed(2))
  }
  return {
    n: samples.length,
    p50: at("ms", 0.5),
    p95: at("ms", 0.95),
    max: at("ms", 1),
    cpu50: at("cpu", 0.5),
    cpu95: at("cpu", 0.95),
  }
}

/** The sources of this package and of the core, as one module. */
async function sources() {
  const outfile = join(import.meta.dirname, "..", "node_modules", ".cache", "bench-search.mjs")
  await build({
    entryPoints: [join(import.meta.dirname, "..", "src", "index.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@treelog/source"],
    external: ["better-sqlite3", "@secretlint/*"],
  })
  return import(pathToFileURL(outfile).href)
}
