// Copies sessions that agents recorded for other agents, and tries each copy in the program that it is for: internal/peers/copies.json has what was
// found, and docs/other-agents.md and README.md tables of it. The exit code is 1 when something does not hold.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { AGENTS } from "../agents.js"
import { tryScenario } from "../frame/check-agent.js"
import { install } from "../frame/install.js"
import { makePlace, runAgent } from "../frame/run-agent.js"
import { type ModelServer, startModelServer } from "../model/model-server.js"
import { PAGES, withCopies } from "./copies-table.js"
import { heldBy, noneHeld } from "./held.js"
import type { Field, Results } from "./results.js"
import { isRecorded, SOURCES, type Source, sourceSessions } from "./sources.js"
import type { Target } from "./target.js"
import { TARGETS } from "./targets.js"
import { nothingTried, type TargetPlace, tryCopies } from "./try-copies.js"

const text = { type: "string" } as const
const options = { folder: text, from: text, to: text, results: text, scenarios: text } as const
const { values } = parseArgs({ options })
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "treelog-copies-")) : resolve(values.folder)
const file = resolve(values.results ?? "internal/peers/copies.json")
const results: Results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { sources: {}, copies: {} }
const versions = new Map<string, string>()
const chosen = <One extends { readonly agent: string }>(all: readonly One[], names: string | undefined): One[] =>
  all.filter(({ agent }) => names === undefined || names.split(",").includes(agent))

let faults = 0
try {
  for (const source of chosen(SOURCES, values.from)) {
    const scenarios = await recordedScenarios(source)
    if (!scenarios) continue
    const held = noneHeld()
    for (const [name, at] of scenarios) for (const one of await sourceSessions(source, name, at)) heldBy(one, held)
    results.sources[source.agent] = { version: await versionOf(source.program), date: today(), held }
    for (const target of chosen(TARGETS, values.to)) {
      const field = await tryField(source, scenarios, target)
      results.copies[source.agent] = { ...results.copies[source.agent], [target.agent]: field }
      faults += field.faults.length
      const { copies, listed, resumed, request, read, returned, back } = field
      process.stdout.write(
        `${source.agent} to ${target.agent}: ${copies} copies, ${listed} listed, ${resumed} resumed, ${request} requests equal, ${read} read again, ${back} of ${returned} back again\n`,
      )
      for (const fault of field.faults) process.stdout.write(`    ${fault}\n`)
      writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
    }
  }
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
if (values.results === undefined) {
  for (const name of Object.keys(PAGES)) writeFileSync(name, withCopies(name, readFileSync(name, "utf8"), results))
}
if (faults > 0) process.exitCode = 1

/** The folders of the scenarios that have the sessions of a source: recorded now, where they are not there. Undefined where one cannot be. */
async function recordedScenarios(source: Source): Promise<Map<string, string> | undefined> {
  const all = new Map<string, string>()
  const most = values.scenarios === undefined ? source.scenarios.length : Number(values.scenarios)
  for (const name of source.scenarios.slice(0, most)) {
    const at = join(folder, source.program ?? "treelog", "scenarios", name)
    all.set(name, at)
    if (isRecorded(source, at)) continue
    const agent = AGENTS.find(({ program }) => program === source.program)
    const scenario = agent?.scenarios.find((one) => one.name === name)
    if (!agent || !scenario) throw new Error(`There is no scenario ${source.program}/${name}.`)
    const { differences } = await tryScenario(scenario, install(agent, join(folder, agent.program)), at)
    if (differences.length > 0) return undefined
  }
  return all
}

async function tryField(source: Source, scenarios: ReadonlyMap<string, string>, target: Target): Promise<Field> {
  const tried = nothingTried()
  const own = TARGETS.find(({ agent }) => agent === source.agent)
  for (const [name, at] of scenarios) {
    const all = await sourceSessions(source, name, at)
    const folderOf = (...names: readonly string[]) => join(folder, "copies", source.agent, target.agent, name, ...names)
    rmSync(folderOf(), { recursive: true, force: true })
    const models = [await startModelServer(), await startModelServer()] as const
    const started = (one: Target, home: string, model: ModelServer): TargetPlace => {
      const place = { ...makePlace(modulesOf(one.program), home), project: join(at, "project") }
      return { target: one, started: one.start(place, model), home: place.home }
    }
    try {
      const there = started(target, folderOf("there"), models[0])
      await tryCopies(all, source, there, own && started(own, folderOf("back"), models[1]), tried)
    } catch (error) {
      tried.faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      for (const model of models) model.close()
    }
  }
  return { ...tried, version: await versionOf(target.program), date: today() }
}

function modulesOf(program: string): string {
  const agent = AGENTS.find((one) => one.program === program)
  if (!agent) throw new Error(`check-agents has no ${program}.`)
  return install(agent, join(folder, program))
}

async function versionOf(program: string | undefined): Promise<string> {
  if (program === undefined) return ""
  const known =
    versions.get(program) ??
    (await runAgent(makePlace(modulesOf(program), join(folder, program, "version")), program, ["--version"]))
  versions.set(program, known)
  return /\d+\.\d+\.\d+(?:[.-]\w+)*/.exec(known)?.[0] ?? known.trim()
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
