// npm run check-agents -- [--folder <folder>] [<agent>[/<scenario>]...]: compares what treelog reads of sessions of the newest agents of npm
// with what these sent to their model. npm run check-copies -- [--folder <folder>] [--from <agents>] [--to <agents>] [--scenarios <most>]: copies what
// they recorded for other agents, and tries each copy there (docs/other-agents.md has what was found). npm run check-agents -- restored [<agent>...]:
// deletes and restores what they recorded, and asks their own lists. npm run check-agents -- resumed <agent> --home <folder> [--cwd <folder>] [<id>...]:
// resumes sessions of any home in their agent, and compares what it sends with the context that treelog builds. --folder keeps the programs, which are not installed again, and the sessions.
// Needs npm's registry and 1.5 GB of disk for a while, no account and no model. See CONTRIBUTING.md.
import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { buildCommand } from "./build-command.mjs"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const PEERS = join(ROOT, "internal", "peers")
// Where the packages of its terminal are found.
const OUT = join(ROOT, "internal", "test-kit", "node_modules", ".check")

try {
  await ensureInstalled()
  // The scenarios of the agents' own lists run it.
  await buildCommand()
  await bundle(PEERS, {
    entryPoints: {
      main: "src/agents/main.ts",
      copies: "src/agents/copies/main.ts",
      restored: "src/agents/restored.ts",
      resumed: "src/agents/resumed.ts",
    },
    conditions: ["@treelog/source"],
    external: ["better-sqlite3"],
    outdir: OUT,
  })
  // What the driver of SQLite needs cannot be part of a bundle.
  const driver = join(OUT, "node_modules", "better-sqlite3")
  mkdirSync(join(OUT, "node_modules"), { recursive: true })
  rmSync(driver, { force: true })
  symlinkSync(join(ROOT, "packages", "index-sqlite", "node_modules", "better-sqlite3"), driver)
  const [first, ...more] = process.argv.slice(2)
  process.exitCode =
    first === "copies" || first === "restored" || first === "resumed"
      ? await runScript(join(OUT, `${first}.js`), more)
      : await runScript(join(OUT, "main.js"), process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
