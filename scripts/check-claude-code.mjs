// node scripts/check-claude-code.mjs <projects> [facts.json] [folder]: converts every session of a `projects` folder of Claude Code, and
// checks the invariants, and, where they are given, facts about the folder and lists of its entries.
import { join } from "node:path"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ROOT } from "./tools.mjs"

const FOLDER = join(ROOT, "packages", "claude-code", "test", "folder")

try {
  await bundle(FOLDER, { entryPoints: ["main.ts"], conditions: ["@treelog/source"] })
  process.exitCode = await runScript(join(FOLDER, "dist", "main.js"), process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
