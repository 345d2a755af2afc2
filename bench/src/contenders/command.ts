// From the bundle in dist/.

import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Contender } from "../question.js"
import { work } from "../work.js"

export const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url))
const run = promisify(execFile)

/** The built `treelog` command, from the start of its process to the end. */
export function command(args: (folder: string) => string[]): Contender {
  return async (folder, scratch) => {
    const env = { ...process.env, TREELOG_AGENT_DIR: join(scratch, "agent"), TREELOG_CACHE_DIR: join(scratch, "cache") }
    return work(
      () => run(process.execPath, [COMMAND, ...args(folder)], { env, maxBuffer: Number.POSITIVE_INFINITY }),
      ({ stdout }) => `${stdout.split("\n").length} lines`,
    )
  }
}

/** The command of ccusage, which sums what Claude Code used, where it is installed. */
export const CCUSAGE = commandPath("ccusage")

/** It prints the sums of each day. */
export function ccusage(path: string): Contender {
  return async (folder) => {
    const env = { ...process.env, HOME: folder, CLAUDE_CONFIG_DIR: join(folder, ".claude") }
    const args = ["daily", "--offline", "--json"]
    return work(
      () => run(path, args, { env, maxBuffer: Number.POSITIVE_INFINITY }),
      ({ stdout }) => `${stdout.split("\n").length} lines`,
    )
  }
}

/** Node's own start and end. */
export const bareNode: Contender = async () =>
  work(
    () => run(process.execPath, ["--eval", "0"]),
    ({ stdout }) => stdout.length,
  )

export function commandPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}
