// Resumes the sessions of a folder in their agent, and compares what it sends to its model with the context that treelog builds of each: for sessions
// that no scenario records. The exit code is 1 when one differs.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { SessionManager } from "@treelog/session-core"
import { AGENTS } from "./agents.js"
import { sessionsIn } from "./copies/agent-sessions.js"
import { blocksOfContext, callsLast, comparable } from "./copies/said-blocks.js"
import { pi } from "./copies/targets/pi.js"
import { TARGETS } from "./copies/targets.js"
import type { Block } from "./frame/compare-blocks.js"
import { install } from "./frame/install.js"
import { makePlace } from "./frame/run-agent.js"
import { startModelServer } from "./model/model-server.js"

const PROMPT = "And what is the last word?"

const { values, positionals } = parseArgs({
  options: { folder: { type: "string" }, home: { type: "string" }, cwd: { type: "string" } },
  allowPositionals: true,
})
const [program, ...ids] = positionals
const agents = [...TARGETS, pi]
const target = agents.find((one) => one.program === program)
const known = AGENTS.find((one) => one.program === program)
const { home, cwd } = values
if (!target || !known || home === undefined)
  throw new Error(`Give one of ${agents.map((one) => one.program).join(", ")}, and --home with its sessions.`)
const folder = values.folder === undefined ? mkdtempSync(join(tmpdir(), "treelog-resumed-")) : resolve(values.folder)
const at = join(folder, known.program, "resumed")
rmSync(at, { recursive: true, force: true })
const place = makePlace(install(known, join(folder, known.program)), at)
const model = await startModelServer()
try {
  const { resume, sent } = target.start(place, model)
  cpSync(resolve(home), place.home, { recursive: true })
  if (cwd !== undefined) moveTo(place.home, cwd, place.project)
  const manager = new SessionManager({ storage: await sessionsIn(target.agent, place.home) })
  const paths = new Map<string, string>()
  for await (const { id, path } of manager.listAll()) if (ids.length === 0 || ids.includes(id)) paths.set(id, path)
  for (const [id, path] of paths) {
    model.requests.length = 0
    try {
      // Before it is gone on with.
      const context = blocksOfContext((await manager.readContext(path)).messages)
      await resume(id, PROMPT)
      print(id, linesOf(context), linesOf(sent(PROMPT)))
    } catch (error) {
      process.stdout.write(`${id}: ${String(error).slice(0, 600)}\n`)
      process.exitCode = 1
    }
  }
  if (paths.size === 0) throw new Error(`There is no such session in ${home}.`)
} finally {
  model.close()
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}

/** What was said, without what the agent adds to each request by itself. */
function linesOf(blocks: readonly Block[]): string[] {
  const isOwn = (text: string): boolean => text === "" || text.includes(PROMPT) || target?.own.test(text) === true
  return comparable(callsLast(blocks), target?.words ? [target.words] : [])
    .filter(({ text }) => typeof text !== "string" || !isOwn(text))
    .map((block) => JSON.stringify(block).slice(0, 300))
}

function print(id: string, own: readonly string[], theirs: readonly string[]): void {
  const isEqual = JSON.stringify(own) === JSON.stringify(theirs)
  if (!isEqual) process.exitCode = 1
  const only = (who: string, lines: readonly string[], others: readonly string[]): string[] =>
    lines.filter((line) => !others.includes(line)).map((line) => `  only ${who}: ${line}`)
  const lines = [
    `${id}: ${isEqual ? "the same" : "different"}, ${own.length} and ${theirs.length} blocks`,
    ...only("treelog", own, theirs),
    ...only(target?.agent ?? "", theirs, own),
  ]
  process.stdout.write(`${lines.join("\n")}\n`)
}

/** Makes the sessions of one folder those of another one; in databases they stay as they are. */
function moveTo(home: string, from: string, to: string): void {
  const dashed = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-")
  for (const name of readdirSync(home)) {
    const path = join(home, name === dashed(from) ? dashed(to) : name)
    if (path !== join(home, name)) renameSync(join(home, name), path)
    const { atime, mtime } = statSync(path)
    if (statSync(path).isDirectory()) moveTo(path, from, to)
    else if (!/\.(?:db|sqlite)(?:-\w+)?$/.test(name)) {
      writeFileSync(path, readFileSync(path, "latin1").replaceAll(from, to), "latin1")
      utimesSync(path, atime, mtime)
    }
  }
}
