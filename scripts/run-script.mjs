import { spawn } from "node:child_process"
import { ROOT } from "./tools.mjs"

/** Runs a script of ours from the root, with the streams of this process. Resolves to its exit code. */
export function runScript(path, args) {
  const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, stdio: "inherit" })
  return new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("exit", (code) => resolve(code ?? 1))
  })
}
