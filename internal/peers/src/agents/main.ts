// Runs the real Claude Code and Codex from npm, with a local server as their model, and compares what treelog reads of their sessions
// with what they sent to it. Prints a line for each, and what differs; the exit code is 1 when something does.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkClaudeCode } from "./claude-code.js"
import { checkCodex } from "./codex.js"
import { startModelServer } from "./model-server.js"
import { runAgent } from "./run-agent.js"

const AGENTS = [
  { program: "claude", module: "@anthropic-ai/claude-code", install: "install.cjs", check: checkClaudeCode },
  { program: "codex", module: "@openai/codex", install: undefined, check: checkCodex },
] as const

const folder = mkdtempSync(join(tmpdir(), "treelog-agents-"))
try {
  for (const { program, module, install, check } of AGENTS) {
    const own = join(folder, program)
    mkdirSync(join(own, "home"), { recursive: true })
    mkdirSync(join(own, "project"))
    writeFileSync(join(own, "package.json"), "{}")
    execFileSync("npm", ["install", "--no-audit", "--no-fund", `${module}@latest`], { cwd: own, stdio: "ignore" })
    // Where npm runs no scripts of packages.
    if (install) execFileSync("node", [install], { cwd: join(own, "node_modules", module), stdio: "ignore" })
    const version = (await runAgent({ folder: own, env: {} }, program, ["--version"])).trim()
    const model = await startModelServer()
    try {
      const faults = await check(own, model)
      process.stdout.write(`${version}: ${model.requests.length} requests, ${faults.length} differences\n`)
      for (const fault of faults) process.stdout.write(`  ${fault}\n`)
      if (faults.length > 0) process.exitCode = 1
    } finally {
      model.close()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
