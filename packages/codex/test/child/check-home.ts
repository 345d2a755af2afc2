// Compares what is made of the rollouts in a folder with what is known of them: `facts.json`, the inputs that a server recorded in
// `golden`, and a second folder `migrated`. npm run check-codex -- <folder> runs it.
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { decompress } from "fzstd"
import { type CodexFile, type CodexSession, convertCodex } from "../../src/index.js"
import { checkContext } from "../corpus/check-context.js"
import { checkFacts, type RolloutFacts } from "../corpus/check-facts.js"
import { checkIds } from "../corpus/check-ids.js"
import { checkSource } from "../corpus/check-source.js"

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error("Name a folder with facts.json and golden.")
const facts: Record<string, RolloutFacts> = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8")).files

/** Files with their bytes, uncompressed, by names from the folder. */
function rolloutsIn(home: string): CodexFile[] {
  return ["sessions", "archived_sessions"].flatMap((name) => {
    const paths = readdirSync(home).includes(name) ? readdirSync(join(home, name), { recursive: true }) : []
    return paths.flatMap((path) => {
      const file = join(home, name, String(path))
      if (!/\.jsonl(\.zst)?$/.test(file)) return []
      const bytes = readFileSync(file)
      return { name: relative(folder as string, file), bytes: file.endsWith(".zst") ? decompress(bytes) : bytes }
    })
  })
}

function titlesOf(home: string): Record<string, string> {
  const lines = readFileSync(join(home, "session_index.jsonl"), "utf8").split("\n").filter(Boolean)
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map(({ id, thread_name }) => [id, thread_name]))
}

/** The thread as it was when this file was its newest. */
function sessionOf(name: string, files: readonly CodexFile[], titles: Record<string, string>): CodexSession {
  const thread = facts[name]?.thread ?? ""
  const isLater = (other: string) =>
    facts[other]?.thread === thread ? other.replace(/^.*rollout-/, "") > name.replace(/^.*rollout-/, "") : false
  const { sessions } = convertCodex(
    files.filter((file) => !isLater(file.name)),
    { titles },
  )
  const found = sessions
    .flatMap((session) => [session, ...session.artifacts.map((artifact) => ({ ...artifact, artifacts: [] }))])
    .find(({ header }) => header.id === thread)
  if (!found) throw new Error(`${name} is in no session.`)
  return found
}

const homes = [folder, ...(readdirSync(folder).includes("migrated") ? [join(folder, "migrated")] : [])]
const all = homes.map((home) => ({ files: rolloutsIn(home), titles: titlesOf(home) }))
const problems: string[] = []
let contexts = 0
let count = 0
for (const { files, titles } of all) {
  for (const { name } of files) {
    const known = facts[name]
    if (!known) continue
    count++
    const session = sessionOf(name, files, titles)
    const report = (what: string): unknown => problems.push(`${name}: ${what}`)
    checkFacts(session, known, report)
    if (!known.golden) continue
    contexts++
    const golden = JSON.parse(readFileSync(join(folder, "golden", `${known.golden.name}.json`), "utf8"))
    checkContext(session, known, golden.lastInput, report)
  }
}
let sources = 0
for (const [index, home] of homes.entries())
  sources += await checkSource(home, all[index] ?? { files: [], titles: {} }, facts, (what) => problems.push(what))
const migrated = all[1]
  ? checkIds(convertCodex(all[0]?.files ?? []), convertCodex(all[1].files), (what) => problems.push(what))
  : 0
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.stdout.write(
  `${count} rollouts, ${contexts} contexts, ${migrated} migrated threads, ${sources} sessions of a folder, ${problems.length} differences\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0
