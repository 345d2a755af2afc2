import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"

const RUN = fileURLToPath(new URL("../run.mjs", import.meta.url))

/** Runs an example as `npm run example` does, in a folder, and gives the lines that it printed. */
export function runExample(cwd: string, args: readonly string[], typed: readonly string[] = []): string[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [RUN, ...args], {
    cwd,
    env: { ...process.env, INIT_CWD: cwd, TREELOG_CACHE_DIR: `${cwd}/cache`, NO_COLOR: "1" },
    input: typed.map((line) => `${line}\n`).join(""),
    encoding: "utf8",
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
  return stdout.trimEnd().split("\n")
}
