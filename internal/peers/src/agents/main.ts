// Runs the newest agents of npm with a local server as their model, and compares what treelog reads of their sessions with what they sent
// to it. Prints the versions, a line for each scenario, and what differs; the exit code is 1 when something does.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { AGENTS } from "./agents.js"
import { checkAgent } from "./frame/check-agent.js"

const { values, positionals } = parseArgs({ options: { folder: { type: "string" } }, allowPositionals: true })
const wanted = positionals.map((name) => {
  const [program, scenario] = name.split("/")
  const agent = AGENTS.find((one) => one.program === program)
  if (!agent || (scenario !== undefined && !agent.scenarios.some((one) => one.name === scenario)))
    throw new Error(`There is no ${name}. There are:\n${AGENTS.flatMap(namesOf).join("\n")}`)
  return { agent, scenario }
})
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "treelog-agents-")) : resolve(values.folder)
let differences = 0
try {
  for (const agent of AGENTS) {
    const mine = wanted.filter((one) => one.agent === agent)
    if (wanted.length > 0 && mine.length === 0) continue
    const only = mine.some(({ scenario }) => scenario === undefined)
      ? []
      : mine.flatMap(({ scenario }) => scenario ?? [])
    differences += await checkAgent(agent, join(folder, agent.program), only)
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
if (differences > 0) process.exitCode = 1

function namesOf({ program, scenarios }: (typeof AGENTS)[number]): string[] {
  return scenarios.map(({ name }) => `${program}/${name}`)
}
