// node scripts/tool.mjs TOOL ...ARGS: runs a tool of this repository from its root.
import { spawn } from "node:child_process"
import { ROOT, toolEnvironment } from "./tools.mjs"

const [tool, ...args] = process.argv.slice(2)
const shell = process.platform === "win32"
const child = spawn(tool, args, { cwd: ROOT, env: toolEnvironment(), stdio: "inherit", shell })
child.on("error", (error) => {
  process.stderr.write(`${tool} cannot be run: ${error.message}. npm run setup installs it.\n`)
  process.exitCode = 127
})
child.on("exit", (code) => {
  process.exitCode = code ?? 1
})
