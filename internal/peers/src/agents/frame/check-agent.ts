import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startModelServer } from "../model/model-server.js"
import type { Agent, Findings, Scenario } from "./agent.js"
import { install } from "./install.js"
import { makePlace, runAgent } from "./run-agent.js"

/**
 * Installs an agent in a folder, goes through its scenarios, and prints its version, a line for each scenario, and what was found.
 * @param only - the names of scenarios to take; empty: all
 * @returns the number of differences, and of kinds and fields that treelog does not know
 */
export async function checkAgent(agent: Agent, folder: string, only: readonly string[]): Promise<number> {
  const modules = install(agent, folder)
  const version = (await runAgent(makePlace(modules, join(folder, "version")), agent.program, ["--version"])).trim()
  process.stdout.write(`${agent.program} ${version}\n`)
  let differences = 0
  const unknown = new Set<string>()
  for (const scenario of agent.scenarios) {
    if (only.length > 0 && !only.includes(scenario.name)) continue
    const found = await tryScenario(scenario, modules, join(folder, "scenarios", scenario.name))
    differences += found.differences.length
    for (const name of found.unknown) unknown.add(name)
  }
  process.stdout.write(unknown.size === 0 ? "  nothing unknown\n" : `  unknown: ${[...unknown].sort().join(", ")}\n`)
  return differences + unknown.size
}

export async function tryScenario({ name, run }: Scenario, modules: string, folder: string): Promise<Findings> {
  rmSync(folder, { recursive: true, force: true })
  const model = await startModelServer()
  try {
    const found = await run(makePlace(modules, folder), model)
    process.stdout.write(`  ${name}: ${model.requests.length} requests, ${found.differences.length} differences\n`)
    for (const difference of found.differences) process.stdout.write(`    ${difference}\n`)
    return found
  } catch (error) {
    // A scenario that could not be driven to its end is a difference, and the others are tried.
    const reason = error instanceof Error ? error.message : String(error)
    process.stdout.write(
      `  ${name}: failed after ${model.requests.length} requests\n    ${reason.replaceAll("\n", "\n    ")}\n`,
    )
    return { differences: [reason], unknown: [] }
  } finally {
    model.close()
    writeFileSync(join(folder, "requests.json"), JSON.stringify(model.requests))
  }
}
