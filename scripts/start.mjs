// npm start: what is on this machine, or where there is nothing, the tour. npm start -- list --json: the command itself, built when it
// has to be.
import { spawn } from "node:child_process"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { buildCommand } from "./build-command.mjs"
import { ensureCommandInstalled, ensureSqliteCompiled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const TOUR = join(ROOT, "scripts", "tour.mjs")
/** The commands that cannot do without SQLite, which Node 22.13 and newer include. */
const NEEDS_SQLITE = new Set(["history", "search", "files", "stats", "index", "mcp"])
const MAIN = join(ROOT, "packages", "cli", "dist", "main.js")

const ensureSqlite = async () => {
  if (!isBuiltin("node:sqlite")) await ensureSqliteCompiled()
}

/** Runs a script of ours as if the user had: its streams, the folder npm was called from, its exit code. */
function become(script, args) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: "inherit",
  })
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal))
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1)
  })
}

try {
  const args = process.argv.slice(2)
  await ensureCommandInstalled()
  if (args.some((argument) => NEEDS_SQLITE.has(argument))) await ensureSqlite()
  await buildCommand()
  const isTour = args.length === 1 && args[0] === "tour"
  const isShown = args.length === 0 && (await (await import("./overview.mjs")).overview(ensureSqlite))
  if (isTour || (args.length === 0 && !isShown)) become(TOUR, [])
  else if (!isShown) become(MAIN, args)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
