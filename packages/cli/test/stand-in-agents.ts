import { chmodSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Sandbox, World } from "./sandbox.js"

/** Agents that note how they were started, in a file of the sandbox. */
export function withAgents(box: Sandbox, exitCode = 0, ...names: string[]): World {
  for (const name of names) {
    const path = box.write(
      `bin/${name}`,
      `#!/bin/sh\n{ pwd; printf '%s\\n' "$0" "$@"; } > ${box.folder}/started\nexit ${exitCode}\n`,
    )
    chmodSync(path, 0o755)
  }
  return { env: { PATH: `${join(box.folder, "bin")}:${process.env.PATH}` } }
}

/** The folder that an agent was started in, its name, and its arguments. */
export function started(box: Sandbox): string[] {
  const path = join(box.folder, "started")
  if (!existsSync(path)) return []
  const [cwd = "", program = "", ...args] = readFileSync(path, "utf8").trimEnd().split("\n")
  return [cwd, program.split("/").at(-1) ?? "", ...args]
}
