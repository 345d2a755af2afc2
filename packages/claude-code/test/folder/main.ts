// Converts every session of a `projects` folder of Claude Code, and checks what must hold of each conversion; with a file of facts about
// the folder, also those. Prints a table; the exit code is 1 when something differs.
//   main.js <projects> [facts.json] [folder of expected entries]
import { readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { convertClaudeCode } from "../../src/index.js"
import { violations } from "./check-conversion.js"
import { type Converted, differences, lineDifferences, listDifferences } from "./compare-facts.js"
import type { ExpectedFacts } from "./expected-facts.js"
import { partsOf, sessionFiles } from "./session-files.js"
import { parallelR2, type Step, tokenSteps } from "./token-growth.js"

const [folder, factsPath, expectedFolder] = process.argv.slice(2)
if (folder === undefined) throw new Error("Name a projects folder of Claude Code.")
const projects = resolve(folder)
const facts =
  factsPath === undefined ? {} : (JSON.parse(readFileSync(factsPath, "utf8")).files as Record<string, ExpectedFacts>)

const steps: Step[] = []
let failures = 0
for (const session of sessionFiles(projects)) {
  const bytes = readFileSync(session.path)
  const converted = convertClaudeCode(bytes, { name: session.name, parts: partsOf(session) })
  const key = join("projects", relative(projects, session.path))
  steps.push(...tokenSteps(converted.entries))
  show(key, converted, facts[key], listDifferences(bytes, session.name, facts[key]))
  for (const path of session.subagents) {
    const agent = convertClaudeCode(readFileSync(path), { name: "agent", parentSession: session.name })
    const agentKey = join("projects", relative(projects, path))
    show(agentKey, agent, facts[key]?.subagents?.[agentKey])
  }
}
const r2 = parallelR2(steps)
process.stdout.write(
  `${steps.length} steps, r² of parallel calls ${r2?.toFixed(3) ?? "unknown"}; ${failures} differences\n`,
)
if (r2 !== undefined && r2 < 0.95) failures += 1
process.exitCode = failures > 0 ? 1 : 0

function show(
  key: string,
  converted: Converted,
  expected: ExpectedFacts | undefined,
  listed: readonly string[] = [],
): void {
  const { entries, report } = converted
  const found = [...listed, ...violations(entries, report), ...(expected ? differences(converted, expected) : [])]
  const file = key.slice(key.lastIndexOf("/") + 1).replace(/\.jsonl$/, "")
  if (expected && expectedFolder !== undefined && !key.includes("/subagents/"))
    found.push(...lineDifferences(entries, readFileSync(join(expectedFolder, `${file}.txt`), "utf8")))
  failures += found.length
  process.stdout.write(`${file}  ${report.lines} lines  ${entries.length} entries  ${found.length} differences\n`)
  for (const sentence of found.slice(0, 12)) process.stdout.write(`    ${sentence.slice(0, 400)}\n`)
}
