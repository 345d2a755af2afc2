// npm run check-agents: compares what treelog reads of sessions of the newest Claude Code and Codex with what these sent to their model.
// Needs npm's registry and 700 MB of disk for a while, no account and no model. See CONTRIBUTING.md.
import { join } from "node:path"
import { bundle } from "./bundle.mjs"
import { runScript } from "./run-script.mjs"
import { ensureInstalled } from "./setup.mjs"
import { ROOT } from "./tools.mjs"

const PEERS = join(ROOT, "internal", "peers")
const OUT = join(PEERS, "node_modules", ".check")

try {
  await ensureInstalled()
  await bundle(PEERS, { entryPoints: ["src/agents/main.ts"], conditions: ["@treelog/source"], outdir: OUT })
  process.exitCode = await runScript(join(OUT, "main.js"), [])
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
