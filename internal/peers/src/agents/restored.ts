// Has agents record sessions, keeps copies of these, deletes them, restores them, and asks the agent's own list before, meanwhile and afterwards, and to
// go on with each. The exit code is 1 when something does not hold.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { SessionInfo } from "@treelog/session-core"
import { keepSessions, keptPlace, openLibrary, restoreKept } from "@treelog/stores"
import { AGENTS } from "./agents.js"
import { SOURCES } from "./copies/sources.js"
import type { StartedTarget, Target } from "./copies/target.js"
import { TARGETS } from "./copies/targets.js"
import { tryScenario } from "./frame/check-agent.js"
import { install } from "./frame/install.js"
import { type AgentPlace, collected, makePlace, runAgent } from "./frame/run-agent.js"
import { startModelServer } from "./model/model-server.js"

const { values, positionals } = parseArgs({ options: { folder: { type: "string" } }, allowPositionals: true })
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "treelog-restored-")) : resolve(values.folder)
try {
  for (const target of TARGETS.filter(({ program }) => positionals.length === 0 || positionals.includes(program)))
    await tryRestoring(target).catch((error: unknown) => {
      process.stdout.write(`  ${target.agent}: ${String(error).slice(0, 2_000)}\n`)
      process.exitCode = 1
    })
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

/** Claude Code lists what a person wrote in a terminal. */
const RECORDED: Readonly<Record<string, string>> = { "claude-code": "rewind" }

async function tryRestoring(target: Target): Promise<void> {
  const agent = AGENTS.find(({ program }) => program === target.program)
  const name = RECORDED[target.agent] ?? SOURCES.find((source) => source.agent === target.agent)?.scenarios[0]
  const scenario = agent?.scenarios.find((one) => one.name === name)
  if (!agent || !scenario) throw new Error(`There is no scenario of ${target.program}.`)
  const modules = install(agent, join(folder, agent.program))
  const at = join(folder, agent.program, "restored")
  await tryScenario(scenario, modules, at)
  const model = await startModelServer()
  try {
    const place = makePlace(modules, at)
    const started = target.start(place, model)
    const surroundings = { env: { HOME: place.home, PATH: place.env.PATH }, cwd: place.project }
    const stores = [target.agent]
    const { failed } = await keepSessions({ ...surroundings, stores })
    const all = await collected((await openLibrary({ ...surroundings, stores })).list())
    const [before, sessions] = await listedOf(started, all)
    await deleteSessions(target, place, all)
    // An empty list may be an error.
    const [meanwhile] = await listedOf(started, sessions).catch(() => [0])
    const restored = await restoreAll(surroundings, `${target.agent}:kept`)
    const [afterwards] = await listedOf(started, sessions)
    const resumed = await resumable(started, sessions)
    process.stdout.write(
      `  ${target.agent}: ${before} listed, ${meanwhile} when deleted, ${restored} restored, ${afterwards} listed again, ${resumed} resumed\n`,
    )
    if (before === 0 || failed > 0 || meanwhile > 0 || afterwards < before || resumed < before) process.exitCode = 1
  } finally {
    model.close()
  }
}

/** How many of some sessions an agent lists, and which. */
async function listedOf(started: StartedTarget, sessions: readonly SessionInfo[]): Promise<[number, SessionInfo[]]> {
  const lines = await started.listed()
  const titleOf = ({ name, firstMessage }: SessionInfo): string =>
    ((name ?? firstMessage).split("\n")[0] ?? "").slice(0, 12)
  const isListed = (session: SessionInfo): boolean =>
    lines.some((line) => line.includes(started.hasIds ? session.id : titleOf(session).trim()))
  const listed = sessions.filter(isListed)
  return [listed.length, listed]
}

/** Deletes sessions: opencode itself, of the others their files. */
async function deleteSessions(target: Target, place: AgentPlace, sessions: readonly SessionInfo[]): Promise<void> {
  if (target.agent === "opencode") {
    for (const { id } of sessions) await runAgent(place, target.program, ["session", "delete", id])
    return
  }
  const kept = keptPlace({ env: { HOME: place.home }, cwd: place.project }, `${target.agent}:kept`)
  if (!kept) throw new Error(`There are no copies of ${target.agent}.`)
  for (const entry of readdirSync(kept.folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).replace(kept.folder, kept.original)
    if (entry.isFile() && existsSync(path)) rmSync(path)
  }
}

async function restoreAll(surroundings: Parameters<typeof keptPlace>[0], store: string): Promise<number> {
  const place = keptPlace(surroundings, store)
  const [source] = (await openLibrary({ ...surroundings, stores: [store] })).sources
  if (!place || !source) throw new Error(`There are no copies in ${store}.`)
  const names = await collected(source.storage.list())
  for (const { key, id = "" } of names) await restoreKept({ place, storage: source.storage, key, id })
  return names.length
}

async function resumable(started: StartedTarget, sessions: readonly SessionInfo[]): Promise<number> {
  let count = 0
  for (const { id } of sessions)
    try {
      await started.resume(id, "And what is the last word?")
      count += 1
    } catch (error) {
      process.stdout.write(`    ${id} is not resumed: ${String(error).slice(0, 400)}\n`)
    }
  return count
}
